package io.penstock.kernel;

import java.io.Serializable;

/**
 * A kernel as a lambda or a reference to a static method: what one work-item does with the arguments of the launch.
 *
 * <p>The interfaces are serialisable so that the method behind a lambda can be found; nothing is ever serialised.
 */
public interface KernelBody extends Serializable {
    /** A kernel without arguments. */
    @FunctionalInterface
    interface Of0 extends KernelBody {
        /** Does the work of one item. */
        void run(WorkItem at);
    }

    /** A kernel with one argument. */
    @FunctionalInterface
    interface Of1<A> extends KernelBody {
        /** Does the work of one item. */
        void run(WorkItem at, A a);
    }

    /** A kernel with two arguments. */
    @FunctionalInterface
    interface Of2<A, B> extends KernelBody {
        /** Does the work of one item. */
        void run(WorkItem at, A a, B b);
    }

    /** A kernel with three arguments. */
    @FunctionalInterface
    interface Of3<A, B, C> extends KernelBody {
        /** Does the work of one item. */
        void run(WorkItem at, A a, B b, C c);
    }

    /** A kernel with four arguments. */
    @FunctionalInterface
    interface Of4<A, B, C, D> extends KernelBody {
        /** Does the work of one item. */
        void run(WorkItem at, A a, B b, C c, D d);
    }

    /** A kernel with five arguments. */
    @FunctionalInterface
    interface Of5<A, B, C, D, E> extends KernelBody {
        /** Does the work of one item. */
        void run(WorkItem at, A a, B b, C c, D d, E e);
    }

    /** A kernel with six arguments. */
    @FunctionalInterface
    interface Of6<A, B, C, D, E, F> extends KernelBody {
        /** Does the work of one item. */
        void run(WorkItem at, A a, B b, C c, D d, E e, F f);
    }

    /** A kernel with seven arguments. */
    @FunctionalInterface
    interface Of7<A, B, C, D, E, F, G> extends KernelBody {
        /** Does the work of one item. */
        void run(WorkItem at, A a, B b, C c, D d, E e, F f, G g);
    }

    /** A kernel with eight arguments. */
    @FunctionalInterface
    interface Of8<A, B, C, D, E, F, G, H> extends KernelBody {
        /** Does the work of one item. */
        void run(WorkItem at, A a, B b, C c, D d, E e, F f, G g, H h);
    }
}

package io.penstock.operator;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.array.Vector;
import io.penstock.runtime.HostMemory;

/** Takes complex vectors apart into real and imaginary parts, and puts them together again. */
final class Parts {
    private Parts() {}

    /** {@code re = Re(z)}. */
    static <V extends Vector<V>> void real(V z, V re) {
        Leaves.forEachPair(z, re, (from, to) -> extract(from, to, 0));
    }

    /** {@code im = Im(z)}. */
    static <V extends Vector<V>> void imaginary(V z, V im) {
        Leaves.forEachPair(z, im, (from, to) -> extract(from, to, 1));
    }

    /** {@code z = re + i im}. */
    static <V extends Vector<V>> void join(V re, V im, V z) {
        Leaves.forEachPair(z, re, (to, from) -> insert(from, to, 0));
        Leaves.forEachPair(z, im, (to, from) -> insert(from, to, 1));
    }

    /** Sets the real parts of {@code z}; leaves the imaginary ones. */
    static void setReal(NDArray re, NDArray z) {
        insert(re, z, 0);
    }

    private static void extract(NDArray z, NDArray part, int which) {
        NDArray from = z.isContiguous() ? z : z.copy();
        NDArray to = part.isContiguous() ? part : part.copy();
        move(from.dtype(), from.address(), 2, which, to.address(), 1, 0, to.size());
        if (to != part) {
            part.assign(to);
            to.close();
        }
        if (from != z) from.close();
    }

    private static void insert(NDArray part, NDArray z, int which) {
        NDArray from = part.isContiguous() ? part : part.copy();
        NDArray to = z.isContiguous() ? z : z.copy();
        move(to.dtype(), from.address(), 1, 0, to.address(), 2, which, from.size());
        if (to != z) {
            z.assign(to);
            to.close();
        }
        if (from != part) from.close();
    }

    /** Moves {@code count} reals; steps and offsets count reals. */
    private static void move(
            DType complex, long from, int fromStep, int fromOffset, long to, int toStep, int toOffset, long count) {
        if (complex == DType.C64) {
            for (long i = 0; i < count; i++)
                HostMemory.ALL.set(
                        JAVA_FLOAT_UNALIGNED,
                        to + 4 * (i * toStep + toOffset),
                        HostMemory.ALL.get(JAVA_FLOAT_UNALIGNED, from + 4 * (i * fromStep + fromOffset)));
            return;
        }
        for (long i = 0; i < count; i++)
            HostMemory.ALL.set(
                    JAVA_DOUBLE_UNALIGNED,
                    to + 8 * (i * toStep + toOffset),
                    HostMemory.ALL.get(JAVA_DOUBLE_UNALIGNED, from + 8 * (i * fromStep + fromOffset)));
    }
}

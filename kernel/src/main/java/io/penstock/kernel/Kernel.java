package io.penstock.kernel;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * A static method or lambda that says what one work-item does, ready to be launched over a range.
 *
 * <pre>{@code
 * static void copyColumn(WorkItem at, Floats a, Floats b, int column) {
 *     a.set(at.x(), column, b.get(at.x(), column));
 * }
 *
 * Kernel.of(Example::copyColumn).over(rows).launch(a, b, 1);
 * }</pre>
 *
 * <p>A kernel takes a {@link WorkItem}, then element views and primitives, and returns nothing. A lambda may capture
 * primitives, records of them and element views. Items run in any order and at the same time, so no item may read what another writes.
 *
 * <p>The loop around a method is compiled once, on first use. Kernels are immutable and may be used from any thread.
 */
public final class Kernel {
    static final KernelBody NO_BODY = new KernelBody() {};

    private final KernelBody body;
    private final Implementation implementation;
    private final Object[] captured;
    private final boolean fast;

    Kernel(KernelBody body, Implementation implementation, Object[] captured) {
        this(body, implementation, captured, false);
    }

    private Kernel(KernelBody body, Implementation implementation, Object[] captured, boolean fast) {
        this.fast = fast;
        this.body = body;
        this.implementation = implementation;
        this.captured = captured;
    }

    private static Kernel from(KernelBody body) {
        Objects.requireNonNull(body, "body is null");
        return LambdaSite.kernel(body);
    }

    /** A kernel without arguments. */
    public static Kernel of(KernelBody.Of0 body) {
        return from(body);
    }

    /** A kernel with one argument. */
    public static <A> Kernel of(KernelBody.Of1<A> body) {
        return from(body);
    }

    /** A kernel with two arguments. */
    public static <A, B> Kernel of(KernelBody.Of2<A, B> body) {
        return from(body);
    }

    /** A kernel with three arguments. */
    public static <A, B, C> Kernel of(KernelBody.Of3<A, B, C> body) {
        return from(body);
    }

    /** A kernel with four arguments. */
    public static <A, B, C, D> Kernel of(KernelBody.Of4<A, B, C, D> body) {
        return from(body);
    }

    /** A kernel with five arguments. */
    public static <A, B, C, D, E> Kernel of(KernelBody.Of5<A, B, C, D, E> body) {
        return from(body);
    }

    /** A kernel with six arguments. */
    public static <A, B, C, D, E, F> Kernel of(KernelBody.Of6<A, B, C, D, E, F> body) {
        return from(body);
    }

    /** A kernel with seven arguments. */
    public static <A, B, C, D, E, F, G> Kernel of(KernelBody.Of7<A, B, C, D, E, F, G> body) {
        return from(body);
    }

    /** A kernel with eight arguments. */
    public static <A, B, C, D, E, F, G, H> Kernel of(KernelBody.Of8<A, B, C, D, E, F, G, H> body) {
        return from(body);
    }

    /**
     * A kernel by the name of its static method, with any number of parameters.
     *
     * @param lookup reaches the method, as {@code MethodHandles.lookup()} of its class does
     * @throws IllegalArgumentException when {@code declaring} does not declare exactly one static method of that name, or the
     *     lookup may not call it
     */
    public static Kernel of(MethodHandles.Lookup lookup, Class<?> declaring, String method) {
        Objects.requireNonNull(lookup, "lookup is null");
        List<Method> found = Arrays.stream(declaring.getDeclaredMethods())
                .filter(m -> m.getName().equals(method) && Modifier.isStatic(m.getModifiers()))
                .toList();
        if (found.size() != 1)
            throw new IllegalArgumentException(declaring.getName() + " has " + found.size() + " static methods named "
                    + method + "; expected one");
        Method only = found.getFirst();
        MethodType type = MethodType.methodType(only.getReturnType(), only.getParameterTypes());
        return new Kernel(NO_BODY, Implementation.of(declaring, method, type, 0, lookup, null), new Object[0]);
    }

    /**
     * A kernel whose class was generated: of the only method of a class file, for instance one made by {@code java.lang.classfile} with what is
     * known of a computation as its constants. Each call makes a kernel of its own, which is compiled for itself; who generates
     * kernels keeps them.
     *
     * @param lookup of a class in the same package, with full privilege access
     * @param classFile a class without fields and constructors and with one static method
     * @throws IllegalArgumentException when it is not, or when the lookup may not define a class
     */
    public static Kernel of(MethodHandles.Lookup lookup, byte[] classFile) {
        Objects.requireNonNull(lookup, "lookup is null");
        return new Kernel(NO_BODY, Implementation.ofGenerated(lookup, classFile.clone()), new Object[0]);
    }

    /**
     * This kernel in fast mathematics: its floating-point numbers need not be those of Java to the last bit.
     *
     * <p>Devices may then round {@code a * b + c} once instead of twice, divide floats and take their square roots with an error
     * of up to 3 ulp, take subnormal floats for zero, and compute a function of {@code Math} as one of floats where its arguments
     * are floats and its result is cast to one. Integers, comparisons, infinities, NaN and the order of operations stay as they
     * are. The JVM computes as ever.
     */
    public Kernel fastMath() {
        return fast ? this : new Kernel(body, implementation, captured, true);
    }

    /** Whether it is in fast mathematics. */
    boolean isFast() {
        return fast;
    }

    /** The class and method that the kernel runs, such as {@code Example.copyColumn}. */
    public String name() {
        return implementation.name();
    }

    /** This kernel over {@code n} items; {@code x} counts them. */
    public RangedKernel over(long n) {
        return new RangedKernel(this, new Range(1, 1, 1, n));
    }

    /** This kernel over {@code rows} times {@code columns} items: {@code y} is the row and {@code x} the column. */
    public RangedKernel over(long rows, long columns) {
        return new RangedKernel(this, new Range(2, 1, rows, columns));
    }

    /**
     * This kernel over all indices of an array of this shape, the last of which is {@code x}: {@code over(array.shape())}.
     *
     * @throws IllegalArgumentException unless the shape has one to three dimensions
     */
    public RangedKernel over(long[] shape) {
        return switch (shape.length) {
            case 1 -> over(shape[0]);
            case 2 -> over(shape[0], shape[1]);
            case 3 -> over(shape[0], shape[1], shape[2]);
            default ->
                throw new IllegalArgumentException(
                        "shape has " + shape.length + " dimensions; a kernel is launched over one to three");
        };
    }

    /** This kernel over planes, rows and columns: {@code z} is the plane, {@code y} the row and {@code x} the column. */
    public RangedKernel over(long planes, long rows, long columns) {
        return new RangedKernel(this, new Range(3, planes, rows, columns));
    }

    /**
     * Makes ready what the first launch on the JVM would wait for: the kernel's loop, and what is known of its code. To be called
     * ahead of it, on any thread.
     */
    public void load() {
        implementation.loop();
        implementation.translation();
    }

    KernelBody body() {
        return body;
    }

    Implementation implementation() {
        return implementation;
    }

    /** What the lambda captured; not to be changed. */
    Object[] captured() {
        return captured;
    }

    @Override
    public String toString() {
        return "kernel " + name();
    }
}

package io.penstock.distributed;

import io.penstock.array.Complex;
import io.penstock.array.DType;
import io.penstock.array.NDArray;
import java.util.function.BiConsumer;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Arithmetic element by element on arrays whose parts lie on different ranks. Each rank works on its own part and nothing is
 * sent.
 *
 * <p>Element types are promoted as {@link NDArray} does, whichever operand stands on the left. The forms that give a new array
 * allocate it in this thread's innermost scope; those in place keep the type of this array, and throw an
 * {@link IllegalArgumentException} when it cannot hold the result.
 *
 * @param <V> the implementing class
 */
public interface Elementwise<V> {
    /**
     * A new array made of what {@code function} gives for each part.
     *
     * @param function must give an array of the same shape, whose type depends on nothing but its argument's type
     */
    V map(UnaryOperator<NDArray> function);

    /**
     * A new array made of what {@code function} gives for each pair of parts.
     *
     * @param other an array of the same layout, or one that {@link DistributedArray#zip} allows
     * @param function must give an array of the shape of the larger argument, whose type depends on nothing but its arguments'
     *     types
     */
    V zip(V other, BinaryOperator<NDArray> function);

    /** Lets {@code action} change each part. */
    void update(Consumer<NDArray> action);

    /** Lets {@code action} change each part of this array, given that of another; the shapes are as in {@link #zip}. */
    void update(V other, BiConsumer<NDArray, NDArray> action);

    /** {@code this + y}. */
    default V add(V y) {
        return zip(y, NDArray::add);
    }

    /** {@code this + y}. */
    default V add(double y) {
        return map(x -> x.add(y));
    }

    /** {@code this + y}. */
    default V add(Complex y) {
        return map(x -> x.add(y));
    }

    /** {@code this - y}. */
    default V subtract(V y) {
        return zip(y, NDArray::subtract);
    }

    /** {@code this - y}. */
    default V subtract(double y) {
        return map(x -> x.subtract(y));
    }

    /** {@code this - y}. */
    default V subtract(Complex y) {
        return map(x -> x.subtract(y));
    }

    /** {@code this * y}, element by element. */
    default V multiply(V y) {
        return zip(y, NDArray::multiply);
    }

    /** {@code this * y}. */
    default V multiply(double y) {
        return map(x -> x.multiply(y));
    }

    /** {@code this * y}. */
    default V multiply(Complex y) {
        return map(x -> x.multiply(y));
    }

    /** {@code this / y}, element by element; whole numbers give floating-point ones. */
    default V divide(V y) {
        return zip(y, NDArray::divide);
    }

    /** {@code this / y}; whole numbers give floating-point ones. */
    default V divide(double y) {
        return map(x -> x.divide(y));
    }

    /** {@code this / y}. */
    default V divide(Complex y) {
        return map(x -> x.divide(y));
    }

    /** Each element to the power of {@code y}. */
    default V power(double y) {
        return map(x -> x.power(y));
    }

    /** {@code this = this + y}. */
    default void addInPlace(V y) {
        update(y, NDArray::addInPlace);
    }

    /** {@code this = this + y}. */
    default void addInPlace(double y) {
        update(x -> x.addInPlace(y));
    }

    /** {@code this = this - y}. */
    default void subtractInPlace(V y) {
        update(y, NDArray::subtractInPlace);
    }

    /** {@code this = this - y}. */
    default void subtractInPlace(double y) {
        update(x -> x.subtractInPlace(y));
    }

    /** {@code this = this * y}, element by element. */
    default void multiplyInPlace(V y) {
        update(y, NDArray::multiplyInPlace);
    }

    /** {@code this = this * y}. */
    default void multiplyInPlace(double y) {
        update(x -> x.multiplyInPlace(y));
    }

    /** {@code this = this / y}, element by element. */
    default void divideInPlace(V y) {
        update(y, NDArray::divideInPlace);
    }

    /** {@code this = this / y}. */
    default void divideInPlace(double y) {
        update(x -> x.divideInPlace(y));
    }

    /** {@code -this}. */
    default V negate() {
        return map(NDArray::negate);
    }

    /** The modulus of each element. */
    default V abs() {
        return map(NDArray::abs);
    }

    /** The complex conjugate of each element. */
    default V conj() {
        return map(NDArray::conj);
    }

    /** The square root of each element. */
    default V sqrt() {
        return map(NDArray::sqrt);
    }

    /** The exponential of each element. */
    default V exp() {
        return map(NDArray::exp);
    }

    /** The natural logarithm of each element. */
    default V log() {
        return map(NDArray::log);
    }

    /** A copy with elements of another type. */
    default V as(DType dtype) {
        return map(x -> x.as(dtype));
    }
}

package io.penstock.array;

/**
 * The set of vectors of one size, element type and layout; a value, compared by {@code equals}.
 *
 * @param <V> the class of its vectors
 */
public interface VectorSpace<V extends Vector<V>> {
    /** The type of the elements. */
    DType dtype();

    /** How many elements a vector has, over all ranks. */
    long size();

    /** A new vector of zeros. */
    V zeros();

    /** A new vector of unspecified content. */
    V empty();

    /**
     * A new vector of independent standard normal elements (real and imaginary part each, where complex). The same seed gives
     * the same vector whatever the layout and the number of ranks.
     */
    V random(long seed);

    /** The same space with elements of another type. */
    VectorSpace<V> as(DType dtype);

    /**
     * Checks that a vector lies in this space.
     *
     * @param name what the caller calls the vector, for the message
     * @throws IllegalArgumentException when it does not, naming both spaces
     */
    default void check(V vector, String name) {
        if (!vector.space().equals(this))
            throw new IllegalArgumentException(name + " lies in " + vector.space() + "; expected " + this);
    }
}

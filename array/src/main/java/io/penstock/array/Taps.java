package io.penstock.array;

import io.penstock.runtime.HostMemory;

/**
 * Weighted sums of shifted copies of a row of numbers: the inner loop of stencils and convolutions.
 *
 * <p>An element's bits depend on its inputs alone, not on where in a row it stands or how the row was cut: terms are added in
 * the order of the taps, each by one fused multiply-add, in the type of the numbers.
 */
public final class Taps {
    private Taps() {}

    /**
     * {@code y[j] = (accumulate ? y[j] : 0) + sum over t of coefficients[t] * x[j + offsets[t]]} for {@code j} from 0 to
     * {@code n - 1}, on the calling thread.
     *
     * <p>The addresses are raw: the caller answers for all elements read and written being in live memory, and for {@code y}
     * not overlapping what is read. Complex rows are real rows of twice the length and twice the offsets.
     *
     * @param real F32 or F64
     * @param yAddress the address of {@code y[0]}
     * @param xAddress the address of {@code x[0]}
     * @param n how many elements to write, not negative
     * @param coefficients the weights; rounded to F32 for F32 numbers
     * @param offsetsInElements the shifts, of any sign and order
     * @param taps how many of both to use; with none, {@code y} becomes zero or stays
     * @param accumulate whether to add to what {@code y} holds
     */
    public static void apply(
            DType real,
            long yAddress,
            long xAddress,
            long n,
            double[] coefficients,
            long[] offsetsInElements,
            int taps,
            boolean accumulate) {
        TapLoops loops = Provider.CHOSEN.taps(real);
        if (n < 0) throw new IllegalArgumentException("n is " + n + "; expected 0 or more");
        if (taps < 0 || taps > coefficients.length || taps > offsetsInElements.length)
            throw new IllegalArgumentException("taps is " + taps + "; expected 0 to "
                    + Math.min(coefficients.length, offsetsInElements.length)
                    + ", as many as there are coefficients and offsets");
        if (taps > 0) loops.apply(yAddress, xAddress, n, coefficients, offsetsInElements, taps, accumulate);
        else if (!accumulate) HostMemory.ALL.asSlice(yAddress, n * real.bytes()).fill((byte) 0);
    }
}

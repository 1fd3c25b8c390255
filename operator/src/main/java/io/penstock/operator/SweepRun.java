package io.penstock.operator;

import io.penstock.array.DType;
import io.penstock.array.Taps;
import io.penstock.runtime.HostMemory;
import java.lang.foreign.ValueLayout;

/** How the columns of one kind of row are computed, from a first column up to where the next run takes over. */
sealed interface SweepRun {
    /**
     * Computes this run's columns among those from {@code from} to {@code to}.
     *
     * @param y the address that column 0 of the result has, or would have
     * @param x the address that column 0 of the argument has, or would have
     */
    void apply(long y, long x, long from, long to, boolean accumulate, Scratch scratch);

    /** Room for coefficients, a core's own. */
    final class Scratch {
        private double[] coefficients = new double[0];

        double[] coefficients(int count) {
            if (coefficients.length < count) coefficients = new double[count];
            return coefficients;
        }
    }

    /**
     * Columns that all have the same taps.
     *
     * @param end the column after the last, or {@code Long.MAX_VALUE} where the run goes on over the end of a row
     */
    record Uniform(DType real, long start, long end, TapList taps) implements SweepRun {
        @Override
        public void apply(long y, long x, long from, long to, boolean accumulate, Scratch scratch) {
            long first = Math.max(start, from);
            long n = Math.min(end, to) - first;
            if (n <= 0) return;
            long at = first * real.bytes();
            Taps.apply(real, y + at, x + at, n, taps.coefficients(), taps.offsets(), taps.count(), accumulate);
        }
    }

    /**
     * Columns that each have taps of their own: the product with a small dense matrix. It is computed as a sum of the matrix's
     * columns, each weighted by an element of {@code x}, so that it runs at vector speed over the results.
     */
    final class Dense implements SweepRun {
        private final DType real;
        private final long start;
        private final long end;
        private final long address;
        private final long[] matrix;
        private final TapList inputs;

        /**
         * Columns {@code start} to {@code end}.
         *
         * @param matrix for each tap, where its column of the matrix lies, in elements from {@code address}
         * @param inputs for each tap, the element of {@code x} that weighs it, by its offset, and a factor
         */
        Dense(DType real, long start, long end, long address, long[] matrix, TapList inputs) {
            this.real = real;
            this.start = start;
            this.end = end;
            this.address = address;
            this.matrix = matrix;
            this.inputs = inputs;
        }

        @Override
        public void apply(long y, long x, long from, long to, boolean accumulate, Scratch scratch) {
            if (start < from || start >= to) return;
            int count = inputs.count();
            double[] weights = scratch.coefficients(count);
            double[] factors = inputs.coefficients();
            long[] offsets = inputs.offsets();
            if (real == DType.F32)
                for (int t = 0; t < count; t++)
                    weights[t] = factors[t] * HostMemory.ALL.get(ValueLayout.JAVA_FLOAT, x + offsets[t] * Float.BYTES);
            else
                for (int t = 0; t < count; t++)
                    weights[t] =
                            factors[t] * HostMemory.ALL.get(ValueLayout.JAVA_DOUBLE, x + offsets[t] * Double.BYTES);
            Taps.apply(real, y + start * real.bytes(), address, end - start, weights, matrix, count, accumulate);
        }
    }
}

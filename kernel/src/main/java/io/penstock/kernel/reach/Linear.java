package io.penstock.kernel.reach;

import java.util.Arrays;

/**
 * A sum of symbols with integer factors, plus a constant.
 *
 * @param part the sum without the constant
 */
record Linear(Part part, long constant) {
    private static final Part NOTHING = new Part(new int[0], new long[0]);

    /** Symbols, ascending, with factors other than 0. */
    static final class Part {
        private final int[] symbols;
        private final long[] factors;

        private Part(int[] symbols, long[] factors) {
            this.symbols = symbols;
            this.factors = factors;
        }

        int size() {
            return symbols.length;
        }

        int symbol(int k) {
            return symbols[k];
        }

        long factor(int k) {
            return factors[k];
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Part part
                    && Arrays.equals(symbols, part.symbols)
                    && Arrays.equals(factors, part.factors);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(symbols) * 31 + Arrays.hashCode(factors);
        }
    }

    static Linear of(long constant) {
        return new Linear(NOTHING, constant);
    }

    static Linear symbol(int symbol) {
        return new Linear(new Part(new int[] {symbol}, new long[] {1}), 0);
    }

    boolean isConstant() {
        return part.size() == 0;
    }

    /**
     * A sum.
     *
     * @throws ArithmeticException when a factor or the constant leaves the longs
     */
    Linear plus(Linear other) {
        int[] symbols = new int[part.size() + other.part.size()];
        long[] factors = new long[symbols.length];
        int count = 0;
        int i = 0;
        int j = 0;
        while (i < part.size() || j < other.part.size()) {
            int mine = i < part.size() ? part.symbols[i] : Integer.MAX_VALUE;
            int theirs = j < other.part.size() ? other.part.symbols[j] : Integer.MAX_VALUE;
            long factor = 0;
            if (mine <= theirs) factor = part.factors[i++];
            if (theirs <= mine) factor = Math.addExact(factor, other.part.factors[j++]);
            if (factor == 0) continue;
            symbols[count] = Math.min(mine, theirs);
            factors[count++] = factor;
        }
        return new Linear(
                new Part(Arrays.copyOf(symbols, count), Arrays.copyOf(factors, count)),
                Math.addExact(constant, other.constant));
    }

    /**
     * A multiple.
     *
     * @throws ArithmeticException when a factor or the constant leaves the longs
     */
    Linear times(long factor) {
        if (factor == 0) return of(0);
        long[] factors = part.factors.clone();
        for (int k = 0; k < factors.length; k++) factors[k] = Math.multiplyExact(factors[k], factor);
        return new Linear(new Part(part.symbols, factors), Math.multiplyExact(constant, factor));
    }

    /** The difference; see {@link #plus}. */
    Linear minus(Linear other) {
        return plus(other.times(-1));
    }
}

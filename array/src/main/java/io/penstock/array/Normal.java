package io.penstock.array;

/** Standard normal numbers from a seed and a position, so that they do not depend on who asks in which order. */
final class Normal {
    private Normal() {}

    /**
     * The number at a position: two uniform numbers by SplitMix64 (Steele, Lea and Flood, OOPSLA 2014), turned into a normal
     * one by Box and Muller's transform (Annals of Mathematical Statistics 29, 1958).
     */
    static double at(long seed, long position) {
        long base = mix(seed) + 2 * position * 0x9E3779B97F4A7C15L;
        double u = ((mix(base) >>> 11) + 1) * 0x1p-53;
        double v = (mix(base + 0x9E3779B97F4A7C15L) >>> 11) * 0x1p-53;
        return Math.sqrt(-2 * StrictMath.log(u)) * StrictMath.cos(2 * Math.PI * v);
    }

    private static long mix(long z) {
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}

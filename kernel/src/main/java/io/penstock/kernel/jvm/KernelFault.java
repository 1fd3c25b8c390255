package io.penstock.kernel.jvm;

/** Thrown by compiled kernels when an item fails; the launch makes of it what the item would have thrown. */
public final class KernelFault extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int site;
    private final long x;
    private final long y;
    private final long z;
    private final transient long[] words;

    private KernelFault(int site, long x, long y, long z, long[] words) {
        super(null, null, false, false);
        this.site = site;
        this.x = x;
        this.y = y;
        this.z = z;
        this.words = words;
    }

    /** Called by compiled kernels. */
    static KernelFault of(int site, long x, long y, long z, long i, long j, long k) {
        return new KernelFault(site, x, y, z, new long[] {i, j, k});
    }

    /** Which of {@link JvmKernel#sites()} failed. */
    public int site() {
        return site;
    }

    /** The item's index along x. */
    public long x() {
        return x;
    }

    /** The item's index along y. */
    public long y() {
        return y;
    }

    /** The item's index along z. */
    public long z() {
        return z;
    }

    /** One of the numbers that tell about the failure, or its bits. */
    long word(int k) {
        return words[k];
    }

    /**
     * Which of the lanes whose indices are {@code first}, {@code first + 1} and so on are inside an extent, as bits. Called by
     * compiled kernels.
     */
    static long inside(long first, long extent, int lanes) {
        long bits = 0;
        for (int lane = 0; lane < lanes; lane++) if (Long.compareUnsigned(first + lane, extent) < 0) bits |= 1L << lane;
        return bits;
    }
}

package io.penstock.kernel;

import io.penstock.runtime.DeviceCode;

/**
 * How many threads a group has along each dimension.
 *
 * <p>Where the kernel sees groups they are its own. Else they are chosen: as many in all as the driver says let most run at a time, fewer
 * where some processors would have none; neighbours along x in one group, so that they share what they load; and in each dimension so that few
 * threads have no item.
 */
record GroupThreads(int x, int y, int z) {
    /** How many threads a group has where that leaves enough registers for all that can run at a time. */
    static final int USUAL = 128;

    /** The threads that a processor runs in step; their loads are widest when they begin at a multiple. */
    private static final int WARP = 32;

    /** How many threads of a group lie along x where there are other dimensions, so that rows share what neighbours in them load. */
    private static final int ALONG_ROW = 2 * WARP;

    /** One thread in so many is worth another shape than the usual. */
    private static final int WORTH = 16;

    /** The most threads of a group along z that CUDA takes. */
    private static final int MOST_Z = 64;

    /**
     * The threads for a launch.
     *
     * @param good how many the driver finds good; of no account where the kernel sees groups
     */
    static GroupThreads of(LaunchPlan plan, Range range, DeviceCode device, int good) {
        GroupShape group = range.group();
        if (plan.seesGroups()) return new GroupThreads(group.x(), group.y(), group.z());
        // PoCL compiles a kernel anew for each shape of a group, and a core is as busy with one group as with two.
        return DeviceKernels.isPocl(device)
                ? powersOfTwo(range, good)
                : fitting(range, plan.itemsPerThread(), good, device.processors());
    }

    /** Powers of two, so that there are few shapes. */
    static GroupThreads powersOfTwo(Range range, int most) {
        int x = Math.min(range.dimensions() == 1 ? most : Math.min(most, ALONG_ROW), enough(range.x()));
        int y = Math.min(most / x, enough(range.y()));
        int z = Math.min(Math.min(most / x / y, MOST_Z), enough(range.z()));
        return new GroupThreads(x, y, z);
    }

    /** The least power of two that is not below a size, or a large one. */
    private static int enough(long size) {
        return size >= GroupShape.MOST_ITEMS
                ? GroupShape.MOST_ITEMS
                : Integer.highestOneBit(Math.max(1, 2 * (int) size - 1));
    }

    /**
     * As many as leave few without an item.
     *
     * @param itemsPerThread how many items along x a thread does
     * @param good how many a group should have
     * @param processors how many processors the device has
     */
    static GroupThreads fitting(Range range, int itemsPerThread, int good, int processors) {
        long row = Math.ceilDiv(range.x(), (long) itemsPerThread);
        long share = Math.ceilDiv(row * range.y() * range.z(), (long) processors);
        int most = (int) Math.min(good, Math.ceilDiv(share, (long) WARP) * WARP);
        int x = alongX(row, range.dimensions() == 1 ? most : Math.min(most, ALONG_ROW), most);
        int y = alike(range.y(), most / x);
        int z = alike(range.z(), Math.min(MOST_Z, most / x / y));
        return new GroupThreads(x, y, z);
    }

    /** A whole row if it is short; else the usual number, or whole warps that leave clearly fewer threads without an item at the row's end. */
    private static int alongX(long row, int usual, int most) {
        if (row <= usual) return (int) row;
        int best = usual;
        for (int x = WARP; x <= most; x += WARP)
            if (inWhole(row, x) <= inWhole(row, best) - inWhole(row, best) / WORTH) best = x;
        return best;
    }

    /** The threads of as many groups as a row needs. */
    private static long inWhole(long row, int x) {
        return Math.ceilDiv(row, (long) x) * x;
    }

    /** The least number with which a size is cut into no more pieces than with a given one. */
    private static int alike(long size, int most) {
        return (int) Math.ceilDiv(size, Math.ceilDiv(size, (long) most));
    }
}

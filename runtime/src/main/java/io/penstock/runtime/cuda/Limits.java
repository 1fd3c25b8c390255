package io.penstock.runtime.cuda;

import io.penstock.runtime.MemorySize;
import io.penstock.runtime.MemoryUse;

/** How much memory may be taken, and how that is told. */
final class Limits {
    /** The property that limits a device's own memory, such as {@code 8g}. */
    static final String DEVICE_LIMIT = "penstock.cuda.memory.limit";

    private Limits() {}

    /** How much of the memory that was free at the beginning may be live: all but a twentieth, unless a property says otherwise. */
    static long deviceBytes(long free) {
        String asked = System.getProperty(DEVICE_LIMIT);
        return asked == null ? free - free / 20 : MemorySize.parse(DEVICE_LIMIT, asked);
    }

    static String describe(long limit) {
        return limit == Long.MAX_VALUE ? "none" : MemorySize.describe(limit);
    }

    static String line(String kind, MemoryUse use) {
        return kind + ": live " + MemorySize.describe(use.live()) + " in " + use.buffers() + " buffers, kept for reuse "
                + MemorySize.describe(use.pooled()) + ", limit " + describe(use.limit());
    }
}

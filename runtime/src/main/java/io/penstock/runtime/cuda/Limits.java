package io.penstock.runtime.cuda;

import io.penstock.runtime.MemorySize;
import io.penstock.runtime.MemoryUse;

/** How much memory may be taken, and how that is told. */
final class Limits {
    /** The property that limits a device's own memory, such as {@code 8g}. */
    static final String DEVICE_LIMIT = "penstock.cuda.memory.limit";

    /** The property that limits pinned host memory. */
    static final String PINNED_LIMIT = "penstock.cuda.pinned.limit";

    private Limits() {}

    /** How much of the memory that was free at the beginning may be live: all but a twentieth, unless a property says otherwise. */
    static long deviceBytes(long free) {
        String asked = System.getProperty(DEVICE_LIMIT);
        return asked == null ? free - free / 20 : MemorySize.parse(DEVICE_LIMIT, asked);
    }

    /** How much host memory may be pinned: half of what arrays of the JVM may take, unless a property says otherwise. */
    static long pinnedBytes(long host) {
        String asked = System.getProperty(PINNED_LIMIT);
        return asked == null ? host / 2 : MemorySize.parse(PINNED_LIMIT, asked);
    }

    static String line(String kind, MemoryUse use) {
        return kind + ": live " + MemorySize.describe(use.live()) + " in " + use.buffers() + " buffers, kept for reuse "
                + MemorySize.describe(use.pooled()) + ", limit " + MemorySize.describe(use.limit());
    }
}

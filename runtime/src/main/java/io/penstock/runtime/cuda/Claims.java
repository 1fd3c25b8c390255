package io.penstock.runtime.cuda;

import java.util.Map;
import java.util.TreeMap;

/** The ranges of addresses that this process keeps a record of, so that no byte has two: two records could not order its uses. */
final class Claims {
    /** The first address of each range, and the one past its last. */
    private final TreeMap<Long, Long> ranges = new TreeMap<>();

    /**
     * Takes a range.
     *
     * @throws IllegalArgumentException when part of it was taken before
     */
    synchronized void take(long address, long bytes) {
        Map.Entry<Long, Long> before = ranges.lowerEntry(address + Math.max(1, bytes));
        if (before != null && before.getValue() > address)
            throw new IllegalArgumentException("memory of " + bytes + " bytes at address " + address
                    + " overlaps memory that this process has a buffer of already; use that buffer or a slice of it");
        ranges.put(address, address + Math.max(1, bytes));
    }

    synchronized void giveBack(long address) {
        ranges.remove(address);
    }
}

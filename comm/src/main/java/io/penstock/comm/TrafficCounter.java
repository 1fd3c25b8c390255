package io.penstock.comm;

import org.jspecify.annotations.Nullable;

/** Counts what one rank sends through one communicator, and through the one that it was split from. */
final class TrafficCounter {
    private final @Nullable TrafficCounter parent;
    private long messages;
    private long bytes;

    TrafficCounter(@Nullable TrafficCounter parent) {
        this.parent = parent;
    }

    void sent(long moreBytes) {
        for (TrafficCounter counter = this; counter != null; counter = counter.parent) {
            counter.messages++;
            counter.bytes += moreBytes;
        }
    }

    Traffic read() {
        return new Traffic(messages, bytes);
    }
}

package io.penstock.runtime;

import io.penstock.runtime.jvm.JvmDevice;

/** Something that holds memory and runs work on it. */
public interface Device {
    /** The device that needs nothing installed: this JVM's cores. */
    static Device jvm() {
        return JvmDevice.instance();
    }

    /** A name a person recognises, such as {@code jvm}. */
    String name();

    /**
     * The queue that this thread's work goes to when none is named: what {@link Queue#during} has chosen, else the device's
     * direct queue.
     */
    Queue queue();

    /** A new queue that runs its work apart from the threads that submit it. Needs no closing. */
    Queue newQueue();

    /**
     * Allocates memory of unspecified content.
     *
     * <p>The buffer belongs to the innermost open {@link Scope} of this thread and is freed with it; outside any scope it
     * lives until it is closed or becomes unreachable.
     *
     * @param bytes how many bytes, not negative
     * @param kind which kind of memory
     * @throws DeviceMemoryException when the device has too little memory left
     */
    Buffer allocate(long bytes, MemoryKind kind);

    /** A snapshot of how much memory is in use. */
    MemoryUse memoryUse();
}

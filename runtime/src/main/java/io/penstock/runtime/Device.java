package io.penstock.runtime;

import io.penstock.runtime.jvm.JvmDevice;
import java.util.List;

/** Something that holds memory and runs work on it. */
public interface Device {
    /** The device that needs nothing installed: this JVM's cores. */
    static Device jvm() {
        return JvmDevice.instance();
    }

    /** All devices that were found, the JVM first. Looks for drivers when first called. */
    static List<Device> all() {
        return Backends.devices();
    }

    /**
     * The device of a name, such as {@code jvm}, {@code cuda:0} or {@code opencl:1}.
     *
     * @throws IllegalArgumentException when there is none, saying which there are and why others are not
     */
    static Device named(String name) {
        return Backends.named(name);
    }

    /** The device of the queue that {@link Queue#during} has chosen for the calling thread, else the JVM. */
    static Device current() {
        Queue chosen = Queue.chosen();
        return chosen == null ? jvm() : chosen.device();
    }

    /** A name a person recognises, such as {@code jvm}; {@link #named} finds the device by it. */
    String name();

    /** What the device is and which driver it is reached by, for people; one line. */
    String description();

    /**
     * The queue that this thread's work goes to when none is named: what {@link Queue#during} has chosen, else the JVM's direct
     * queue, or one of the device's own, of which each thread has the same every time.
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

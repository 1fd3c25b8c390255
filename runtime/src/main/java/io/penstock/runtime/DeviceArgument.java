package io.penstock.runtime;

import java.lang.foreign.MemorySegment;

/** What an entry of a device's program is given, one for each of its parameters in order. */
public sealed interface DeviceArgument {
    /** A pointer to the beginning of the <em>allocation</em> that a buffer is part of; offsets travel as values. */
    record Memory(Buffer buffer) implements DeviceArgument {}

    /** A number or structure by value. The bytes are read when the launch is bound. */
    record Bytes(MemorySegment bytes) implements DeviceArgument {}

    /** OpenCL's pointer to the memory that the items of a group share; in CUDA it is no parameter. */
    record Shared() implements DeviceArgument {}

    /**
     * A pointer to a record of {@link FailureReader#BYTES} bytes, aligned to 8, for the items' failures. Its first {@code int} is
     * 0 until an item fails; the first item to set it, by an atomic compare-and-set within the device, owns the rest, and writes
     * the {@link LaunchNumber} to the second {@code int}. The queue provides the record, looks on the host after the launch is over
     * whether it was set, gives it to that launch's {@link FailureReader}, and clears it. One record may serve all launches of a
     * queue that are under way, since the failure of one is the failure of those behind it.
     */
    record Failure() implements DeviceArgument {}

    /** The number, an {@code int} of the backend's choice, by which it knows a launch when it finds it in a record. */
    record LaunchNumber() implements DeviceArgument {}
}

package io.penstock.runtime.opencl;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.penstock.foreign.OpenCl;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * What the devices of one driver share: memory and events made in it are good for all of them. It lasts as long as the process.
 */
final class Context {
    private final Platform platform;
    private final long[] devices;

    /** Zero until first needed, since making one may wake the devices; guarded by this. */
    private volatile long handle;

    /** The clock that the host's own processors share; null until first asked for. Guarded by this. */
    private @Nullable DeviceClock hostClock;

    Context(Platform platform, long[] devices) {
        this.platform = platform;
        this.devices = devices.clone();
    }

    OpenCl cl() {
        return platform.cl();
    }

    Platform platform() {
        return platform;
    }

    long handle() {
        long known = handle;
        return known != 0 ? known : make();
    }

    private synchronized long make() {
        if (handle != 0) return handle;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment properties = arena.allocateFrom(JAVA_LONG, OpenCl.CL_CONTEXT_PLATFORM, platform.id(), 0);
            MemorySegment ids = arena.allocateFrom(JAVA_LONG, devices);
            MemorySegment error = arena.allocate(JAVA_INT);
            long made = cl().createContext(properties.address(), devices.length, ids.address(), 0, 0, error.address());
            OpenClException.check(error.get(JAVA_INT, 0), "clCreateContext for " + platform.name());
            handle = made;
            return made;
        }
    }

    /**
     * The clock of one of the devices.
     *
     * @param queue a queue of the device's
     */
    synchronized DeviceClock clock(DeviceFacts device, long queue) {
        DeviceClock shared = hostClock;
        if (device.cpu() && shared != null) return shared;
        DeviceClock made = new DeviceClock(this, device, queue);
        if (device.cpu()) hostClock = made;
        return made;
    }

    /** A queue of the driver's that runs its commands in order, and takes the times of events. */
    long newQueue(DeviceFacts device) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment error = arena.allocate(JAVA_INT);
            long queue =
                    cl().createCommandQueue(handle(), device.id(), OpenCl.CL_QUEUE_PROFILING_ENABLE, error.address());
            OpenClException.check(error.get(JAVA_INT, 0), "clCreateCommandQueue for " + device.name());
            return queue;
        }
    }
}

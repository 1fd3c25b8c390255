package io.penstock.array;

import io.penstock.runtime.CompilingDevice;
import io.penstock.runtime.Device;
import io.penstock.runtime.MemoryKind;
import io.penstock.runtime.Queue;
import java.util.HashMap;
import java.util.Map;

/** On which device an operation on arrays runs, and on which queue arrays come to the host. */
final class Placement {
    /**
     * A queue of each thread and device for what the host reads, so that it does not come after work that the thread's own queue
     * has still to do on other arrays.
     */
    private static final ThreadLocal<Map<Device, Queue>> READERS = ThreadLocal.withInitial(HashMap::new);

    private Placement() {}

    static boolean isJvm(Device device) {
        return device.equals(Device.jvm());
    }

    /** Whether an operation on the arrays is none of the JVM's own. */
    static boolean isElsewhere(NDArray a) {
        return !isJvm(a.device());
    }

    /** Whether an operation on the arrays is none of the JVM's own. */
    static boolean isElsewhere(NDArray a, NDArray b) {
        return isElsewhere(a) || isElsewhere(b);
    }

    /** Whether an operation on the arrays is none of the JVM's own. */
    static boolean isElsewhere(NDArray a, NDArray b, NDArray c) {
        return isElsewhere(a, b) || isElsewhere(c);
    }

    /**
     * The one device of all arrays.
     *
     * @throws IllegalArgumentException when they lie on several
     */
    static Device of(NDArray... arrays) {
        Device device = arrays[0].device();
        for (NDArray array : arrays) requireSame(device, array);
        return device;
    }

    static void requireSame(Device device, NDArray array) {
        if (!array.device().equals(device))
            throw new IllegalArgumentException("the arrays of one operation lie on " + device.name() + " and on "
                    + array.device().name() + "; bring them together with to(Device)");
    }

    /** Whether a device runs operations on elements: by loops, or by kernels. */
    static boolean computes(Device device) {
        return isJvm(device) || device instanceof CompilingDevice;
    }

    /** The kind of memory that a device's arrays lie in when nothing else is asked for. */
    static MemoryKind usual(Device device) {
        return isJvm(device) ? MemoryKind.HOST : MemoryKind.DEVICE;
    }

    /** The calling thread's queue of a device for what the host reads. */
    static Queue reader(Device device) {
        return READERS.get().computeIfAbsent(device, Device::newQueue);
    }
}

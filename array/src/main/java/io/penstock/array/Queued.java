package io.penstock.array;

import io.penstock.runtime.Access;
import io.penstock.runtime.Device;
import io.penstock.runtime.Queue;
import io.penstock.runtime.jvm.JvmDevice;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Operations on arrays as work of the calling thread's queue, where their order has to be watched. */
final class Queued {
    private Queued() {}

    /** Whether operations must be submitted rather than just run. No, within what was submitted. */
    static boolean isNeeded() {
        return Device.jvm().queue().tracks();
    }

    /**
     * Computes something from arrays on the calling thread, for whom it has to be there at once: after what writes them, and before
     * what is submitted meanwhile to write them.
     */
    static <T> T read(Supplier<T> operation, NDArray... read) {
        Queue direct = JvmDevice.instance().direct();
        if (!direct.tracks()) return operation.get();
        List<T> result = new ArrayList<>(1);
        direct.submit(reads(read), () -> result.add(operation.get()));
        return result.getFirst();
    }

    /** Runs an operation that writes one array and reads others on the calling thread, in its order among work of queues. */
    static void run(Runnable operation, NDArray written, NDArray... read) {
        Queue direct = JvmDevice.instance().direct();
        if (!direct.tracks()) {
            operation.run();
            return;
        }
        List<Access> accesses = reads(read);
        accesses.add(new Access(written.buffer(), written.region(), true));
        direct.submit(accesses, operation);
    }

    private static List<Access> reads(NDArray... read) {
        List<Access> accesses = new ArrayList<>(1 + read.length);
        for (NDArray array : read) accesses.add(new Access(array.buffer(), array.region(), false));
        return accesses;
    }

    /**
     * Submits an operation that writes one array and reads others.
     *
     * @param label what traces call it
     */
    static void submit(String label, Runnable operation, NDArray written, NDArray... read) {
        List<Access> accesses = reads(read);
        accesses.add(new Access(written.buffer(), written.region(), true));
        Device.jvm().queue().submit(label, accesses, operation);
    }
}

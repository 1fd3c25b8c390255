package io.penstock.runtime.cuda;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import io.penstock.runtime.HostMemory;
import org.jspecify.annotations.Nullable;

/**
 * Turns a device's times into those of {@link System#nanoTime()}. The driver tells the time between two events in milliseconds as
 * a float, which is too coarse over long times; so the event to count from is renewed.
 */
final class CudaClock {
    private static final long RENEWED_AFTER_NANOS = 100_000_000;

    private static final int TRIALS = 16;

    private final CudaDevice device;
    private final long stream;
    private @Nullable CudaEvent origin;
    private double originNanos;

    CudaClock(CudaDevice device, long stream) {
        this.device = device;
        this.stream = stream;
    }

    /** When the device reached a timed event. */
    synchronized long nanos(CudaEvent event) {
        CudaEvent from = origin();
        double since = millis(from, event) * 1e6;
        return Math.round(originNanos + since);
    }

    private CudaEvent origin() {
        CudaEvent from = origin;
        if (from != null && System.nanoTime() - originNanos < RENEWED_AFTER_NANOS) return from;
        CudaEvent next = from == null ? first() : new CudaEvent(device, stream, true);
        if (from != null) {
            next.record();
            next.await();
            originNanos += millis(from, next) * 1e6;
        }
        origin = next;
        return next;
    }

    /** Of several events that of which the host knows best when it was: it lies between two looks at the clock. */
    private CudaEvent first() {
        CudaEvent best = new CudaEvent(device, stream, true);
        long least = Long.MAX_VALUE;
        for (int i = 0; i < TRIALS; i++) {
            CudaEvent next = new CudaEvent(device, stream, true);
            long before = System.nanoTime();
            next.record();
            next.await();
            long after = System.nanoTime();
            if (after - before >= least) continue;
            least = after - before;
            best = next;
            originNanos = (before + after) / 2.0;
        }
        return best;
    }

    private double millis(CudaEvent from, CudaEvent to) {
        CudaContext context = device.context();
        CallingThread thread = context.enter();
        device.check(
                context.calls().eventElapsedTime(thread.answer(), from.handle(), to.handle()), "cuEventElapsedTime");
        return HostMemory.ALL.get(JAVA_FLOAT, thread.answer());
    }
}

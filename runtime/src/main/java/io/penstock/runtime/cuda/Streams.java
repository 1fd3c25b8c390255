package io.penstock.runtime.cuda;

import static io.penstock.foreign.CudaValues.CUDA_SUCCESS;
import static io.penstock.foreign.CudaValues.CU_STREAM_NON_BLOCKING;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A device's streams, none of which waits for the legacy default stream. Queues take one each until there are {@value #MOST};
 * then they share: work of queues that share one runs in order of submission, which is slower and as right.
 */
final class Streams {
    static final int MOST = 32;

    private final CudaDevice device;
    private final List<Stream> streams = new ArrayList<>();
    private final List<Retired> retired = new ArrayList<>();

    private record Retired(long stream, long record, long bytes) {}

    /** A stream and how many queues use it. */
    static final class Stream {
        private final long handle;
        private int users;
        private boolean alone;

        private Stream(long handle) {
            this.handle = handle;
        }

        long handle() {
            return handle;
        }
    }

    Streams(CudaDevice device) {
        this.device = device;
    }

    /**
     * The stream that fewest use, to be given back.
     *
     * @param alone whether no other may use it meanwhile
     */
    synchronized Stream take(boolean alone) {
        Stream taken = streams.stream()
                .filter(stream -> !stream.alone)
                .min(Comparator.comparingInt(stream -> stream.users))
                .orElse(null);
        if (taken == null || (taken.users > 0 && (alone || streams.size() < MOST))) {
            taken = new Stream(create());
            streams.add(taken);
        }
        taken.users++;
        taken.alone = alone;
        return taken;
    }

    /** Gives a stream back, and pinned memory that kernels under way there may still write. */
    synchronized void giveBack(Stream stream, long record, long bytes) {
        stream.users--;
        stream.alone = false;
        retired.add(new Retired(stream.handle, record, bytes));
        if (device.isLost()) return;
        device.context().enter();
        retired.removeIf(gone -> {
            boolean idle = device.context().calls().streamQuery(gone.stream) == CUDA_SUCCESS;
            if (idle) device.pinned().free(gone.record, gone.bytes);
            return idle;
        });
    }

    /** A stream that no queue shares. */
    long create() {
        CudaContext context = device.context();
        CallingThread thread = context.enter();
        device.check(
                context.calls().streamCreateWithPriority(thread.answer(), CU_STREAM_NON_BLOCKING, 0),
                "cuStreamCreateWithPriority");
        return thread.answered(0);
    }
}

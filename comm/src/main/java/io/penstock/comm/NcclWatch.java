package io.penstock.comm;

import io.penstock.runtime.DriverQueue;
import io.penstock.runtime.Ticket;
import io.penstock.runtime.cuda.CudaQueue;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The thread that looks after one of NCCL's communicators: whether NCCL has met an error, whether the ranks have failed, and whether a
 * call that is first on the device waits for ranks that do not come.
 */
final class NcclWatch {
    private static final long LOOK = 20_000_000;

    /** From when on a rank that waits for a call on the device counts as waiting for other ranks. */
    private static final long SETTLE = 500_000_000;

    private static final int MOST = 16;

    private final NcclHandle handle;
    private final CheckedCommunicator base;
    private final RanksOptions options;
    private final CudaQueue queue;
    /** Calls that were issued and are not known to be over; those between the oldest ones and the newest may be left out. */
    private final ArrayDeque<Call> pending = new ArrayDeque<>();

    private final ArrayDeque<DriverQueue.Event> events = new ArrayDeque<>();
    private volatile @Nullable Ticket last;

    /** A call that is looked after until it is over. */
    static final class Call {
        private final String what;
        private volatile @Nullable Ticket ticket;
        private DriverQueue.@Nullable Event reached;

        Call(String what) {
            this.what = what;
        }

        /** It was submitted. */
        void submitted(Ticket as) {
            ticket = as;
        }

        private boolean isOver() {
            Ticket known = ticket;
            return known != null && known.isOver();
        }

        private boolean isReached() {
            return reached != null && reached.isOver();
        }
    }

    /**
     * Begins to look once started.
     *
     * @param queue what calls are issued to
     */
    NcclWatch(NcclHandle handle, CheckedCommunicator base, RanksOptions options, CudaQueue queue) {
        this.handle = handle;
        this.queue = queue;
        this.base = base;
        this.options = options;
    }

    void start() {
        Thread thread = Thread.ofPlatform().daemon().name("penstock-nccl-watch").unstarted(this::watch);
        NcclEnds.add(this, thread);
        thread.start();
    }

    /** Whether the communicator is to be freed, or has been. */
    boolean isEnding() {
        return last != null;
    }

    /** Keeps all threads out of NCCL from now on; what is under way on the device stays as it is. */
    void leave() {
        handle.leave();
    }

    /**
     * Has the communicator freed once all that was submitted is over. Nobody waits for that: a rank that closes because it has failed must
     * get to say so.
     *
     * @param end stands for all that was submitted
     */
    void end(Ticket end) {
        last = end;
    }

    /** A call is about to be issued: all that the device does before is in the stream. */
    synchronized void issuing(Call call) {
        if (pending.size() == MOST) events.push(Objects.requireNonNull(pending.removeLast().reached));
        DriverQueue.Event event = events.isEmpty() ? queue.event() : events.pop();
        event.record();
        call.reached = event;
        pending.add(call);
    }

    /**
     * The oldest call that is not over; null when there is none. The monitor is not held while the queue is asked, since whoever issues to
     * the queue takes the two in the other order.
     */
    private @Nullable Call first() {
        Call call = oldest();
        while (call != null && call.isOver()) {
            drop();
            call = oldest();
        }
        return call;
    }

    private synchronized @Nullable Call oldest() {
        return pending.peek();
    }

    /** The oldest call is over; only the newest are ever left out, so it is still there. */
    private synchronized void drop() {
        events.push(Objects.requireNonNull(pending.remove().reached));
    }

    @SuppressWarnings("ReferenceEquality") // calls have an identity and no value
    private void watch() {
        RankState me = base.me();
        Call seen = null;
        long since = 0;
        while (handle.look()) {
            Ticket end = last;
            if (end != null && end.isOver()) {
                handle.free();
                break;
            }
            LockSupport.parkNanos(this, LOOK);
            try {
                base.checkAlive();
            } catch (CommunicatorException e) {
                handle.fail(String.valueOf(e.getMessage()));
                break;
            }
            Call call = first();
            long now = System.nanoTime();
            if (call == null || call != seen) {
                seen = call;
                since = 0;
                me.onDevice = null;
            } else if (since == 0) {
                if (call.isReached()) since = now;
            } else if (now - since > SETTLE) {
                me.onDevice = call.what;
                base.waitsOnDevice(call.what, now - since, options);
            }
        }
        me.onDevice = null;
        NcclEnds.remove(this);
    }
}

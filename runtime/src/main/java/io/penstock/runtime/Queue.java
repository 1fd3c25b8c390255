package io.penstock.runtime;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A line of work for one device. Work of different queues runs at the same time, except that a piece that touches bytes which
 * an earlier one touches too waits for it when one of the two writes. Nobody has to say so: {@link #submit} finds out.
 *
 * <p>There are two kinds. A queue that runs <em>apart</em> takes the work and runs it in order of submission; when a piece
 * fails, those behind it are skipped, and what failed is thrown to the first who waits for the work or reads what it should have
 * written. A <em>direct</em> queue runs each piece on the thread that submits it, before {@code submit} returns.
 *
 * <p>Any thread may submit to any queue. A queue needs no closing.
 */
public abstract class Queue {
    /** How much work may be under way in one queue before its submitters have to wait. */
    static final long BACKLOG = 1 << 16;

    private static final AtomicInteger NUMBERS = new AtomicInteger();
    private static final ScopedValue<Queue> CHOSEN = ScopedValue.newInstance();

    private final Device device;
    private final String name;

    /** The one line that all work of a queue apart makes; of a direct queue, each piece is a line of its own. */
    private final @Nullable Line line;

    /** A queue of one of the two kinds. */
    protected Queue(Device device, boolean apart) {
        this.device = device;
        this.name = device.name() + (apart ? " queue " + NUMBERS.incrementAndGet() : " direct");
        this.line = apart ? new Line(name) : null;
        if (apart) Ledger.need();
    }

    /** The device that runs the work. */
    public final Device device() {
        return device;
    }

    /**
     * Whether work must name what it touches. A direct queue needs no such thing as long as the process has no queue of the
     * other kind, nor within work; {@link #submit} then does nothing but run the body, and callers may save its cost.
     */
    public final boolean tracks() {
        return line != null || (Ledger.isNeeded() && Work.current() == null);
    }

    /**
     * Submits a piece of work, to run after everything submitted before that it conflicts with.
     *
     * <p>The memory that it touches is kept until it is over, even when the arrays are closed meanwhile. Returns without
     * waiting, except that it waits for room when {@value #BACKLOG} pieces are under way in the queue.
     *
     * @param accesses all memory that the work touches
     * @param body what it does; it must not wait for other work, nor touch other memory that work under way touches
     * @throws IllegalStateException when an array was closed
     */
    public final Ticket submit(List<Access> accesses, Runnable body) {
        Objects.requireNonNull(body, "body is null");
        Line own = line != null ? line : new Line(name);
        if (!tracks()) {
            body.run();
            return new Ticket(own, 0);
        }
        if (Work.current() == null) own.awaitEnd(own.submitted() - BACKLOG);
        Work work = new Work(own, accesses, body);
        work.hold();
        try {
            Ledger.enter(work, this);
        } catch (Throwable e) {
            work.release();
            throw e;
        }
        if (line == null) work.runHere();
        return new Ticket(own, work.number());
    }

    /**
     * Takes a piece of work, to be run by {@link #run} after those taken before. Called under locks, so it must not wait. A
     * direct queue does nothing here.
     */
    protected abstract void enqueue(Work work);

    /** Waits on the calling thread for what a piece of work must follow, then runs it. Throws nothing. */
    protected static void run(Work work) {
        work.runApart();
    }

    /**
     * Blocks the calling thread until all work submitted so far is over. Programs need it to take times, never for order.
     *
     * @throws RuntimeException what a piece has thrown, unless somebody was told before
     * @throws IllegalStateException when called from within work, which never waits for other work
     */
    public final void await() {
        refuseWithinWork();
        if (line != null) line.await(line.submitted());
    }

    static void refuseWithinWork() {
        if (Work.current() != null)
            throw new IllegalStateException(
                    "work on a queue must not wait for other work; submit what depends on it instead");
    }

    /** The device's name and which of the queues it is, such as {@code jvm queue 2}. */
    @Override
    public final String toString() {
        return name;
    }

    /**
     * Makes this the queue of the calling thread, for its device, while {@code body} runs: what the thread launches without
     * naming a queue goes here. Threads that a {@code StructuredTaskScope} forks within inherit that.
     */
    public final void during(Runnable body) {
        ScopedValue.where(CHOSEN, this).run(body);
    }

    /** The queue that {@link #during} has chosen for the calling thread; null when there is none for the device. */
    public static @Nullable Queue chosen(Device device) {
        if (!Ledger.isNeeded() || !CHOSEN.isBound() || Work.current() != null) return null;
        Queue queue = CHOSEN.get();
        return queue.device().equals(device) ? queue : null;
    }

    /**
     * Runs {@code body} over disjoint pieces that together cover {@code [0, count)}, on as many cores as are free for the
     * caller. Returns once all pieces are done.
     *
     * <p>How the range is cut depends on the machine and its load, so a body's result must not depend on it.
     *
     * @param count how many items there are; nothing runs when it is zero
     * @param grain the fewest items worth a core of their own; also the multiple to which all cuts but the last are aligned
     * @param body the work on one piece
     * @throws RuntimeException the first exception of a piece, once all pieces have ended
     */
    public abstract void parallel(long count, long grain, RangeBody body);

    /** The work on one piece of a range. */
    @FunctionalInterface
    public interface RangeBody {
        /** Works on the items from {@code from} (inclusive) to {@code to} (exclusive). */
        void run(long from, long to);
    }
}

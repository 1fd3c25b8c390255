package io.penstock.runtime;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
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
    private static final ScopedValue<Choice> CHOSEN = ScopedValue.newInstance();

    private final Device device;
    private final String name;

    /** The one line that all work of a queue apart makes; of a direct queue, each piece is a line of its own. */
    private final @Nullable Line line;

    /** A queue of one of the two kinds. */
    protected Queue(Device device, boolean apart) {
        this(device, apart ? Line::new : null);
    }

    /** A queue apart whose work makes a line of the caller's making, or a direct one. */
    Queue(Device device, @Nullable Function<String, Line> line) {
        this.device = device;
        this.name = device.name() + (line != null ? " queue " + NUMBERS.incrementAndGet() : " direct");
        this.line = line == null ? null : line.apply(name);
        if (this.line != null) {
            Ledger.need();
            Untold.watch(this.line);
        }
    }

    final @Nullable Line line() {
        return line;
    }

    /** How much work may be under way before submitters wait. */
    long backlog() {
        return BACKLOG;
    }

    /** Whether work holds its memory while it is under way; otherwise what frees the memory waits for the work. */
    boolean holds() {
        return true;
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
     * waiting, except that it waits for room when {@value #BACKLOG} pieces are under way in the queue ({@value
     * DriverQueue#BACKLOG} in a driver's).
     *
     * @param accesses all memory that the work touches
     * @param body what it does; it must not wait for other work, nor touch other memory that work under way touches
     * @throws IllegalStateException when an array was closed
     */
    public final Ticket submit(List<Access> accesses, Runnable body) {
        return submit(What.UNNAMED, accesses, body);
    }

    /**
     * Submits a piece of work that has a name; otherwise like {@link #submit(List, Runnable)}.
     *
     * @param label what traces call it, such as the name of a kernel
     */
    public final Ticket submit(String label, List<Access> accesses, Runnable body) {
        return submit(What.work(label), accesses, body);
    }

    private Ticket submit(What what, List<Access> accesses, Runnable body) {
        Objects.requireNonNull(body, "body is null");
        Line own = line != null ? line : new Line(name);
        if (notes(accesses, body)) return new Ticket(own, 0);
        if (!tracks()) {
            body.run();
            return new Ticket(own, 0);
        }
        makeRoom(own);
        Work work = new Work(own, what, accesses, body);
        enter(work);
        if (line == null) work.runHere();
        return new Ticket(own, work.number());
    }

    /**
     * Submits a piece of work that was made before, and may be submitted again and again: on a driver's queue, with nothing
     * allocated. Otherwise like {@link #submit(List, Runnable)}.
     */
    public final void submit(Task task) {
        if (notes(task.accesses(), task.body())) return;
        // Work that serves an occupation waits for nothing, so it must not be used again outside it.
        if (line == null || holds() || Occupation.isServing()) {
            submit(task.what(), task.accesses(), task.body());
            return;
        }
        makeRoom(line);
        Work work = task.work(line);
        enter(work);
        task.giveBack(work);
    }

    /**
     * Notes a piece of work down, for a queue that does so instead of running it; others do nothing and say so.
     *
     * @return whether it was noted down, and is not to be run
     */
    protected boolean notes(List<Access> accesses, Runnable body) {
        return false;
    }

    private void makeRoom(Line own) {
        long upTo = own.submitted() - backlog();
        if (upTo > own.ended && Work.current() == null) Tracing.awaitOnHost(own, upTo);
    }

    private void enter(Work work) {
        if (!holds()) {
            Ledger.enter(work, this);
            return;
        }
        work.hold();
        try {
            Ledger.enter(work, this);
        } catch (Throwable e) {
            work.release();
            throw e;
        }
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
        if (line == null) return;
        long last = line.submitted();
        Tracing.awaitOnHost(line, last);
        line.await(last);
    }

    /** The point between what was submitted so far and what will be, as a piece of work that takes the time. For measurements. */
    public final Moment moment() {
        return Moment.of(this);
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
        Choice outer = CHOSEN.isBound() ? CHOSEN.get() : null;
        ScopedValue.where(CHOSEN, new Choice(this, outer)).run(body);
    }

    /**
     * The queue that {@link #during} has chosen for the calling thread and a device, the innermost where it was chosen several
     * times; null when there is none.
     */
    public static @Nullable Queue chosen(Device device) {
        if (!Ledger.isNeeded() || !CHOSEN.isBound() || Work.current() != null) return null;
        for (Choice choice = CHOSEN.get(); choice != null; choice = choice.outer())
            if (choice.queue().device().equals(device)) return choice.queue();
        return null;
    }

    /** The queue that {@link #during} has chosen last for the calling thread, whichever its device; null when there is none. */
    static @Nullable Queue chosen() {
        return CHOSEN.isBound() && Work.current() == null ? CHOSEN.get().queue() : null;
    }

    /** A chosen queue, and what was chosen around it. */
    private record Choice(Queue queue, @Nullable Choice outer) {}

    /**
     * Copies a box of bytes. Either buffer may be of any kind and of any device; what this queue cannot reach is staged through
     * pinned memory in pieces, by this queue and one of the other device. The buffers may be closed at once.
     *
     * @param source a box within {@code from}
     * @param target a box of the same extents within {@code to}
     * @return the last piece; to wait for it is to wait for all
     * @throws IllegalArgumentException when the extents differ, a box does not lie within its buffer, or the boxes overlap
     */
    public final Ticket copy(Buffer from, Box source, Buffer to, Box target) {
        if (!source.matches(target))
            throw new IllegalArgumentException("source is " + source + " and target is " + target
                    + "; expected the same extents in rowBytes, rows and planes");
        Access read = Access.read(from, source.region());
        Access written = Access.write(to, target.region());
        if (from.allocation() == to.allocation() && read.region().overlaps(written.region()))
            throw new IllegalArgumentException("source " + source + " and target " + target
                    + " overlap in one allocation; copy through another buffer");
        if (source.isEmpty()) return submit(List.of(), () -> {});
        if (reaches(from) && reaches(to))
            return submit(What.COPY, List.of(read, written), () -> copyNow(from, source, to, target));
        return new StagedCopy(this, from, source, to, target).submit();
    }

    /** Copies a contiguous range, all of {@code from} to all of {@code to}. */
    public final Ticket copy(Buffer from, Buffer to) {
        return copy(from, Box.contiguous(0, from.bytes()), to, Box.contiguous(0, to.bytes()));
    }

    /**
     * Fills a box with a value of 1, 2, 4, 8 or 16 bytes, repeated.
     *
     * @param target a box within {@code to}, in memory that this queue reaches, whose rows are whole numbers of values long
     * @param low the value's first 8 bytes, or all there are, in the lowest bits
     * @param high the value's last 8 bytes, when it has 16
     * @param width how many bytes the value has
     */
    public final Ticket fill(Buffer to, Box target, long low, long high, int width) {
        if (width != 1 && width != 2 && width != 4 && width != 8 && width != 16)
            throw new IllegalArgumentException("width is " + width + " bytes; expected 1, 2, 4, 8 or 16");
        if (target.rowBytes() % width != 0 || target.rowStride() % width != 0 || target.planeStride() % width != 0)
            throw new IllegalArgumentException(
                    "target is " + target + "; expected rows and strides of whole values of " + width + " bytes");
        if (!reaches(to))
            throw new IllegalArgumentException(this + " does not reach " + to.kind() + " memory of "
                    + to.device().name() + "; fill it on a queue of that device");
        Access written = Access.write(to, target.region());
        if (target.isEmpty()) return submit(List.of(), () -> {});
        return submit(What.FILL, List.of(written), () -> fillNow(to, target, low, high, width));
    }

    /**
     * Whether this queue's work can use a buffer's memory where it is: its device's own, and that of other devices which it was seen
     * to reach. Other memory can be copied, by {@link #copy}.
     */
    public final boolean canUse(Buffer buffer) {
        return reaches(buffer);
    }

    /** Whether this queue's work can touch a buffer's memory where it is. */
    protected abstract boolean reaches(Buffer buffer);

    /** Copies between memory that this queue reaches; as the body of work. The boxes match, are not empty and lie within. */
    protected abstract void copyNow(Buffer from, Box source, Buffer to, Box target);

    /** Fills memory that this queue reaches; as the body of work. The box is not empty and lies within. */
    protected abstract void fillNow(Buffer to, Box target, long low, long high, int width);

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

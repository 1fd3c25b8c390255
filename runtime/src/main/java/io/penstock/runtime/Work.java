package io.penstock.runtime;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A piece of work on its way through a queue: what it touches, what it has to wait for, and what it does. */
public final class Work {
    private static final ScopedValue<Work> CURRENT = ScopedValue.newInstance();

    /** Stands for all work on memory that is known to be free: it touches everything. */
    static final Work ANY = new Work(new Line("any"), What.UNNAMED, List.of(), () -> {});

    private Line line;
    private final What what;
    private final List<Access> accesses;
    private final Runnable body;
    private final Waits waits = new Waits();
    private Touch @Nullable [] touches;
    private History @Nullable [] histories;
    private Marks.@Nullable Mark @Nullable [] marks;
    private boolean kept;
    private long number;
    private final boolean serves;

    Work(Line line, What what, List<Access> accesses, Runnable body) {
        this.line = line;
        this.what = what;
        this.accesses = List.copyOf(accesses);
        this.body = body;
        this.serves = Occupation.isServing();
    }

    /** Whether the work is part of what occupies its memory, so that it waits for nothing. */
    boolean serves() {
        return serves;
    }

    /** Makes this a new piece of work that does the same, for a line; the former one must be over and forgotten. */
    void renew(Line next) {
        line = next;
        waits.clear();
    }

    /** What the work touches, in the order of its accesses. */
    Touch[] touches() {
        Touch[] known = touches;
        if (known == null) touches = known = Touch.of(accesses);
        return known;
    }

    /** The distinct histories of what the work touches, in the order of their numbers. */
    History[] histories() {
        History[] known = histories;
        if (known == null) histories = known = Touch.histories(touches());
        return known;
    }

    /** Room for as many marks, all null. */
    Marks.@Nullable Mark[] marks(int count) {
        Marks.@Nullable Mark[] room = marks;
        if (room == null || room.length < count) marks = room = new Marks.@Nullable Mark[Math.max(4, count)];
        return room;
    }

    /** Says that this piece of work is remembered after its submission, so that it must not be renewed. */
    void keep() {
        kept = true;
    }

    boolean isKept() {
        return kept || OrderCheck.installed != null;
    }

    /** Makes the calls to a driver that this work consists of. */
    void issue() {
        body.run();
    }

    /** The work that the calling thread runs, or helps to run; null when there is none. */
    public static @Nullable Work current() {
        return Ledger.isUsed() && CURRENT.isBound() ? CURRENT.get() : null;
    }

    /** Whether the calling thread runs work that touches an allocation; also where there are no queues, for occupations. */
    static boolean isTouchedHere(Allocation allocation) {
        return CURRENT.isBound() && CURRENT.get().touches(allocation);
    }

    /** Runs {@code part} on the calling thread as part of this work. */
    public void inside(Runnable part) {
        ScopedValue.where(CURRENT, this).run(part);
    }

    Line line() {
        return line;
    }

    What what() {
        return what;
    }

    List<Access> accesses() {
        return accesses;
    }

    Waits waits() {
        return waits;
    }

    long number() {
        return number;
    }

    void take(long next) {
        number = next;
    }

    boolean touches(Allocation allocation) {
        if (this == ANY) return true;
        for (int i = 0; i < accesses.size(); i++) if (accesses.get(i).buffer().allocation() == allocation) return true;
        return false;
    }

    /** Keeps the memory that the work touches until {@link #release}. */
    void hold() {
        int held = 0;
        try {
            for (; held < accesses.size(); held++)
                accesses.get(held).buffer().allocation().hold();
        } catch (IllegalStateException e) {
            while (held > 0) accesses.get(--held).buffer().allocation().release();
            throw e;
        }
    }

    void release() {
        OrderCheck check = OrderCheck.installed;
        if (check != null) check.leave(this);
        for (int i = 0; i < accesses.size(); i++)
            accesses.get(i).buffer().allocation().release();
    }

    // Work that is not run waits all the same, and for all: others wait for it in place of those that it waits for.

    /** Waits and runs on the calling thread, which is the submitter's; throws what fails. */
    void runHere() {
        try {
            waits.awaitEnds(this, true);
            waits.await();
            run(true);
        } finally {
            try {
                release();
            } finally {
                line.end(number, null);
            }
        }
    }

    /** Waits and runs on a queue's thread; a failure is kept for whoever waits for the work. */
    void runApart() {
        @Nullable Throwable failure = null;
        try {
            waits.awaitEnds(this, false);
            failure = waits.failure();
            if (failure == null && !line.skips(number)) run(false);
        } catch (Throwable e) {
            failure = e;
        }
        try {
            release();
        } catch (Throwable e) {
            if (failure == null) failure = e;
        }
        line.end(number, failure);
    }

    /** Where a trace shows this work when it runs on the calling thread. */
    Place place(boolean direct) {
        return direct ? Place.ofDirectWork(line.name()) : Place.ofQueue(line.name());
    }

    private void run(boolean direct) {
        if (!Tracing.isOn()) {
            run();
            return;
        }
        WorkEvent event = new WorkEvent();
        event.begin();
        long begin = System.nanoTime();
        @Nullable Throwable failure = null;
        try {
            run();
        } catch (Throwable e) {
            failure = e;
            throw e;
        } finally {
            long end = System.nanoTime();
            if (event.shouldCommit()) commit(event, end - begin, failure);
            Tracing.ran(this, place(direct), begin, end);
            if (direct && failure != null) Tracing.failed(place(true), end, number, failure);
        }
    }

    private void run() {
        OrderCheck check = OrderCheck.installed;
        if (check == null) inside(body);
        else inside(() -> check.watch(this, body));
    }

    private void commit(WorkEvent event, long ran, @Nullable Throwable failure) {
        event.queue = line.name();
        event.label = what.label();
        event.number = number;
        event.read = Tracing.bytes(accesses, false);
        event.written = Tracing.bytes(accesses, true);
        event.ran = ran;
        if (failure != null) event.failure = failure.toString();
        event.commit();
    }

    /** What was thrown elsewhere, ready to be thrown here as well. */
    static RuntimeException rethrown(Throwable cause) {
        if (cause instanceof Error e) throw e;
        if (cause instanceof RuntimeException e) return e;
        return new IllegalStateException("a piece of work failed", cause);
    }
}

package io.penstock.runtime;

import io.penstock.runtime.Following.Followed;
import io.penstock.runtime.Marks.Mark;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The work of a driver's queue: how much was issued, how far the device has come, and how far this line has waited for others.
 *
 * <p>Progress is seen through marks: events recorded after a piece of work, when somebody asks for it or after every
 * {@value #STRIDE} pieces. A mark serves everybody who asks for its piece or an earlier one.
 */
final class DriverLine extends Line {
    /** How many pieces are issued between marks that nobody asked for. */
    private static final int STRIDE = 64;

    /** The queue whose line this is; known from its first piece of work on. */
    private volatile @Nullable DriverQueue queue;

    /** Pieces up to this number were issued to the driver, or given up. */
    private volatile long issued;

    /** The number of the piece that is being issued; known to the thread that issues it. */
    private long issuing;

    /** Guarded by this. */
    private final Marks marks = new Marks();

    /** What this line has waited for on the device, or found to be over; guarded by this. */
    private final Following following = new Following();

    /** Whether there is any of that. Raised before a piece of work that followed something is known to be over. */
    private volatile boolean follows;

    /** Made when somebody first wants to know times; guarded by this. */
    private @Nullable DriverSpans spans;

    /** Pieces that have to follow something that cannot be waited for on the device, and those behind them; guarded by this. */
    private final ArrayDeque<Work> putOff = new ArrayDeque<>();

    /** Issued work that the order check has to be told the end of; guarded by this. */
    private final ArrayDeque<Work> checked = new ArrayDeque<>();

    /** What ended the device's service for good; guarded by this. */
    private @Nullable RuntimeException lost;

    DriverLine(String name) {
        super(name);
    }

    private DriverQueue queue() {
        DriverQueue known = queue;
        if (known == null) throw new IllegalStateException("no work was submitted to " + name());
        return known;
    }

    /** The number of the piece that the calling thread issues. */
    long issuing() {
        if (!Thread.holdsLock(this))
            throw new IllegalStateException("a launch is issued to " + name()
                    + " from outside of that queue's work, where nothing orders it; issue it to the queue that it was"
                    + " submitted to");
        return issuing;
    }

    @Override
    void number(Work work, @Nullable Queue taker) {
        if (queue == null) queue = (DriverQueue) taker;
        Waits waits = work.waits();
        int open = waits.isEmpty() ? 0 : withoutKnown(waits);
        @Nullable Mark[] found = open == 0 ? NO_MARKS : work.marks(open);
        boolean ready = open == 0 || find(waits, found);
        boolean untidy;
        try {
            synchronized (this) {
                if (lost != null) throw new DeviceLostException(lost);
                take(work);
                long number = work.number();
                if (ready && putOff.isEmpty()) {
                    issueNow(work, waits, found, open);
                    submitted = number;
                    issued = number;
                    if (OrderCheck.installed != null) checked.add(work);
                    if (number % STRIDE == 0) look();
                } else {
                    // First, since it fails when there are too many threads; the work is not counted then.
                    if (putOff.isEmpty()) Issuers.start(this::issuePutOff);
                    work.keep();
                    putOff.add(work);
                    submitted = number;
                    if (OrderCheck.installed != null) checked.add(work);
                }
                untidy = following.takeUntidy();
            }
        } finally {
            release(found, open);
        }
        if (untidy) Ancestry.forgetOver(this);
    }

    private static final @Nullable Mark[] NO_MARKS = {};

    /** Takes out of the waits what is known to be over or followed already; returns how many are left. */
    private synchronized int withoutKnown(Waits waits) {
        for (int i = waits.count() - 1; i >= 0; i--) {
            Line line = waits.line(i);
            long number = waits.number(i);
            boolean over = line.hasEndedWell(number);
            // What it has followed may have failed, and nobody has looked yet.
            if (over && line instanceof DriverLine producer && producer.follows && !following.has(line, number))
                noteFollowed(producer, number);
            // The order check learns from waits what follows what, so it must see them all.
            if (over || (OrderCheck.installed == null && following.has(line, number))) waits.remove(i);
        }
        return waits.count();
    }

    /** Finds a mark for each wait that needs one; false when some wait cannot be left to the device. */
    private boolean find(Waits waits, @Nullable Mark[] found) {
        for (int i = 0; i < waits.count(); i++) {
            if (waits.line(i) instanceof DriverLine producer && queue().canFollow(producer.queue())) {
                found[i] = producer.mark(waits.number(i));
                if (found[i] == null) return false;
            } else if (!waits.line(i).hasEnded(waits.number(i)) || waits.line(i).failure(waits.number(i)) != null) {
                return false;
            }
        }
        return true;
    }

    private static void release(@Nullable Mark[] found, int count) {
        for (int i = 0; i < count; i++) {
            Mark mark = found[i];
            if (mark != null) mark.leave();
            found[i] = null;
        }
    }

    /** Issues a piece of work that is not counted when the driver refuses it. */
    private void issueNow(Work work, Waits waits, @Nullable Mark[] found, int count) {
        try {
            issue(work, waits, found, count);
        } catch (RuntimeException | Error e) {
            OrderCheck check = OrderCheck.installed;
            if (check != null) check.drop(work);
            throw e;
        }
    }

    /** Issues a piece of work behind the marks of what it waits for. Needs the monitor. */
    private void issue(Work work, Waits waits, @Nullable Mark[] found, int count) {
        DriverSpan span = Tracing.isOn() ? new DriverSpan(this, work) : null;
        if (span != null) span.reached(spans().record());
        for (int i = 0; i < count; i++) {
            Mark mark = found[i];
            if (mark != null && follow((DriverLine) waits.line(i), mark) && span != null)
                span.follows(waits.line(i), waits.number(i));
        }
        if (span != null && span.followsSomething()) span.ready(spans().record());
        issuing = work.number();
        queue().enqueue(work);
        if (span == null) return;
        span.issued(spans().record());
        DriverSpans.follow(span);
    }

    private DriverSpans spans() {
        DriverSpans known = spans;
        if (known == null) spans = known = new DriverSpans(queue());
        return known;
    }

    /** Waits until a traced piece is over, and takes its times; null when the device answers no more. */
    DriverSpan.@Nullable Times timesOf(DriverSpan span) {
        DriverQueue.Event reached = span.reached();
        DriverQueue.Event over = span.over();
        if (reached == null || over == null) return null;
        try {
            synchronized (this) {
                queue().flush();
            }
            over.await();
            synchronized (this) {
                long came = spans().take(reached);
                DriverQueue.Event ready = span.ready();
                long begin = ready == null ? came : spans().take(ready);
                return new DriverSpan.Times(came, begin, spans().take(over));
            }
        } catch (RuntimeException e) {
            synchronized (this) {
                lose(e);
            }
            return null;
        }
    }

    /** Whether there was need to follow. */
    private boolean follow(DriverLine producer, Mark mark) {
        if (following.has(producer, mark.number())) return false;
        queue().follow(mark.event());
        noteFollowed(producer, mark.number());
        return true;
    }

    private void noteFollowed(DriverLine producer, long number) {
        following.add(producer, number);
        follows = true;
    }

    /** Forgets something that was followed, unless it was followed further meanwhile. */
    synchronized void forget(Followed before) {
        following.remove(before);
        follows = !following.isEmpty();
    }

    /** How many lines follow one another up to this one, since they were last looked through for what is over. */
    int depth() {
        return following.depth();
    }

    /** Whether work has failed, as far as the device has come, and nobody was told. Asks the driver. */
    synchronized boolean hasFailed() {
        poll();
        return super.failure(Long.MAX_VALUE) != null;
    }

    @Override
    boolean settles(long number) {
        look(number);
        return hasEndedWell(number) && (!follows || Ancestry.wentWell(this));
    }

    @Override
    boolean isSettled(long number) {
        if (!hasEndedWell(number)) return false;
        if (!follows) return true;
        synchronized (this) {
            if (!following.haveEndedWell()) return false;
        }
        for (Followed before : Ancestry.of(this)) if (!before.line().hasEndedWell(before.number())) return false;
        return true;
    }

    /** Issues what was put off, in order, each piece once what it waits for is over or can be left to the device. */
    private void issuePutOff() {
        while (true) {
            Work work;
            synchronized (this) {
                work = putOff.getFirst();
            }
            Throwable failure = issueLater(work);
            synchronized (this) {
                if (failure != null) fail(work.number(), failure);
                issued = work.number();
                notifyAll();
                putOff.removeFirst();
                if (putOff.isEmpty()) return;
            }
        }
    }

    private @Nullable Throwable issueLater(Work work) {
        Waits waits = work.waits();
        @Nullable Mark[] found = new @Nullable Mark[waits.count()];
        try {
            for (int i = 0; i < waits.count(); i++) {
                Line line = waits.line(i);
                if (line instanceof DriverLine producer && queue().canFollow(producer.queue())) {
                    producer.awaitIssue(waits.number(i));
                    found[i] = producer.mark(waits.number(i));
                } else {
                    Tracing.awaitOnHost(line, waits.number(i));
                }
            }
            Throwable failure = waits.failure();
            if (failure != null) return failure;
            synchronized (this) {
                if (lost != null) return lost;
                work.inside(() -> issue(work, waits, found, found.length));
            }
            return null;
        } catch (RuntimeException | Error e) {
            return e;
        } finally {
            release(found, found.length);
        }
    }

    /** Blocks until the work up to a number was handed to the driver. */
    private void awaitIssue(long number) {
        if (issued >= number) return;
        boolean interrupted = false;
        synchronized (this) {
            while (issued < number) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) Thread.currentThread().interrupt();
    }

    /** A mark at or after a piece of work, for the caller to give back; null when the work is not issued or known to be over. */
    private synchronized @Nullable Mark mark(long number) {
        if (issued < number || lost != null) return null;
        Mark mark = marks.at(number, issued, queue()).use();
        queue().flush();
        return mark;
    }

    /** Records a mark now and then, and sees how far the device has come. Needs the monitor. */
    private void look() {
        marks.recordAfter(STRIDE, issued, queue());
        poll();
    }

    /** Sees how far the device has come. Needs the monitor. */
    private void poll() {
        try {
            advance(marks.poll());
        } catch (RuntimeException e) {
            lose(e);
        }
    }

    private void advance(long number) {
        if (number <= ended) return;
        for (DriverQueue.Failed failed = queue().takeFailure(number);
                failed != null;
                failed = queue().takeFailure(number)) fail(failed.number(), failed.cause());
        OrderCheck check = OrderCheck.installed;
        while (!checked.isEmpty() && checked.getFirst().number() <= number) {
            Work over = checked.removeFirst();
            if (check != null) check.leave(over);
        }
        ended = number;
        notifyAll();
    }

    /** All that is not seen to be over has failed, and what follows fails; the device goes on. */
    synchronized void failRest(RuntimeException cause) {
        if (lost == null) failForGood(ended + 1, cause);
    }

    /** The device answers no more: all that was issued counts as over, and as failed. */
    private void lose(RuntimeException cause) {
        if (lost != null) return;
        lost = cause;
        failForGood(ended + 1, cause);
        issued = Math.max(issued, submitted);
        ended = Long.MAX_VALUE;
        marks.clear();
        notifyAll();
    }

    @Override
    boolean hasEnded(long number) {
        if (ended >= number) return true;
        if (issued < number) return false;
        synchronized (this) {
            if (ended < number && lost == null) {
                marks.at(number, issued, queue());
                queue().flush();
                poll();
            }
            return ended >= number;
        }
    }

    @Override
    void awaitEnd(long number) {
        if (ended >= number) return;
        if (issued < number) Occupation.pollUntil(this, number);
        awaitIssue(number);
        Mark mark = mark(number);
        if (mark == null) return;
        try {
            mark.event().await();
            synchronized (this) {
                poll();
                advance(mark.number());
            }
        } catch (RuntimeException e) {
            synchronized (this) {
                lose(e);
            }
        } finally {
            mark.leave();
        }
    }

    /** A failure of this line's work or of work that it has followed on the device. */
    @Override
    @Nullable
    Throwable failure(long number) {
        Throwable own = super.failure(number);
        if (own != null) return own;
        for (Followed before : Ancestry.of(this)) {
            Throwable theirs = before.line().ownFailure(before.number());
            if (theirs != null) return theirs;
        }
        return null;
    }

    private @Nullable Throwable ownFailure(long number) {
        hasEnded(number);
        return super.failure(number);
    }

    @Override
    void await(long number) {
        awaitEnd(number);
        Throwable cause = told(number);
        if (cause != null) throw Work.rethrown(cause);
        for (Followed before : Ancestry.of(this)) {
            before.line().hasEnded(before.number());
            Throwable theirs = before.line().told(before.number());
            if (theirs != null) throw Work.rethrown(theirs);
        }
    }

    /** What this line has followed directly. */
    synchronized List<Followed> followedNow() {
        return following.now();
    }
}

package io.penstock.runtime;

import org.jspecify.annotations.Nullable;

/**
 * Pieces of work that run one after another, and how far they have come.
 *
 * <p>When one fails, those submitted after it are skipped until the failure has been thrown to somebody who waits.
 */
class Line {
    private final String name;

    /** Whether this is an {@link Occupation}, which no other occupation waits for. */
    private final boolean occupation;

    /** The number of the newest piece; changed under the monitor. */
    volatile long submitted;

    /** Pieces up to this number are skipped because of a failure that has been thrown; guarded by this. */
    private long skipped;

    /** Pieces up to this number are known to be over. */
    volatile long ended;

    private volatile @Nullable Failure failure;

    /** Made while there is a trace. */
    private volatile @Nullable Ends ends;

    /** Why a piece failed; a permanent failure is thrown to everybody who waits, not just to the first. */
    private record Failure(long number, Throwable cause, boolean permanent) {}

    Line(String name) {
        this(name, false);
    }

    private Line(String name, boolean occupation) {
        this.name = name;
        this.occupation = occupation;
    }

    static Line ofOccupation(String name) {
        return new Line(name, true);
    }

    boolean isOccupation() {
        return occupation;
    }

    /** The name of the queue whose work this is. */
    String name() {
        return name;
    }

    /** Where the ends of its work are noted for a trace. */
    final Ends ends(Place place) {
        Ends known = ends;
        if (known != null) return known;
        synchronized (this) {
            known = ends;
            if (known == null) ends = known = new Ends(place);
            return known;
        }
    }

    /** The ends that were noted; null when none were. */
    final @Nullable Ends knownEnds() {
        return ends;
    }

    /** Numbers a piece of work and hands it to {@code taker}, if any; it is not counted when that throws. */
    void number(Work work, @Nullable Queue taker) {
        synchronized (this) {
            take(work);
            if (taker != null) taker.enqueue(work);
            submitted = work.number();
        }
    }

    /** Gives a piece of work the next number, which counts only once {@code submitted} is raised. Needs the monitor. */
    final void take(Work work) {
        work.take(submitted + 1);
        OrderCheck check = OrderCheck.installed;
        if (check != null) check.enter(work);
    }

    final long submitted() {
        return submitted;
    }

    /** Whether the piece of this number is not to run. */
    final synchronized boolean skips(long number) {
        return failure != null || number <= skipped;
    }

    /** Marks the work up to a number as ended. */
    final synchronized void end(long number, @Nullable Throwable cause) {
        if (cause != null) fail(number, cause);
        ended = number;
        notifyAll();
    }

    /** Keeps why a piece has failed for whoever waits for it, unless an earlier failure waits already. */
    final synchronized void fail(long number, Throwable cause) {
        if (!occupation) Tracing.failed(Place.ofQueue(name), System.nanoTime(), number, cause);
        if (failure == null) failure = new Failure(number, cause, false);
    }

    /** Makes all work after a number fail, for everybody and for good. */
    final synchronized void failForGood(long number, Throwable cause) {
        failure = new Failure(number, cause, true);
    }

    /** Whether the work up to a number is over, failed or not. */
    boolean hasEnded(long number) {
        return ended >= number;
    }

    /**
     * Whether the work up to a number is known to be over, and nobody has to be told of a failure in it or in what it has
     * followed. Asks no driver, so it may say no of work that is over.
     */
    boolean isSettled(long number) {
        return hasEndedWell(number);
    }

    /** Whether that is so now. Asks drivers. */
    boolean settles(long number) {
        return isSettled(number);
    }

    /** Whether it is known to be over without a failure, whatever it has followed. */
    final boolean hasEndedWell(long number) {
        if (ended < number) return false;
        Failure failed = failure;
        return failed == null || failed.number > number;
    }

    /** Sees how far the work has come, for those who only tidy up: where that fails, whoever waits is told. */
    final void look(long upTo) {
        try {
            hasEnded(upTo);
        } catch (RuntimeException e) {
            System.getLogger("io.penstock.runtime").log(System.Logger.Level.DEBUG, name + " does not answer", e);
        }
    }

    /** Blocks until the work up to a number is over, even if the thread is interrupted, which it then still is. */
    void awaitEnd(long number) {
        if (ended >= number) return;
        Occupation.pollUntil(this, number);
        boolean interrupted = false;
        synchronized (this) {
            while (ended < number) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) Thread.currentThread().interrupt();
    }

    /** Why the work up to a number, which is over, has failed; null when it has not, or somebody was told already. */
    @Nullable
    Throwable failure(long number) {
        Failure failed = failure;
        return failed == null || failed.number > number ? null : failed.cause;
    }

    /** Blocks until the work up to a number is over, and throws its failure unless somebody was told already. */
    void await(long number) {
        awaitEnd(number);
        Throwable cause = told(number);
        if (cause != null) throw Work.rethrown(cause);
    }

    /** The failure of the work up to a number, which from now on counts as told; null when there is none. */
    final @Nullable Throwable told(long number) {
        if (failure == null) return null;
        synchronized (this) {
            Failure failed = failure;
            if (failed == null || failed.number > number) return null;
            if (failed.permanent) return failed.cause;
            failure = null;
            skipped = submitted;
            return failed.cause;
        }
    }
}

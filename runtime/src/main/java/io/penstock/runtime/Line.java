package io.penstock.runtime;

import org.jspecify.annotations.Nullable;

/**
 * Pieces of work that run one after another, and how far they have come.
 *
 * <p>When one fails, those submitted after it are skipped until the failure has been thrown to somebody who waits.
 */
final class Line {
    private final String name;

    /** Whether this is an {@link Occupation}, which no other occupation waits for. */
    private final boolean occupation;

    /** The number of the newest piece; guarded by this. */
    private long submitted;

    /** Pieces up to this number are skipped because of a failure that has been thrown; guarded by this. */
    private long skipped;

    private volatile long ended;
    private volatile @Nullable Failure failure;

    private record Failure(long number, Throwable cause) {}

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

    /** Numbers a piece of work and hands it to {@code taker}, if any; it is not counted when that throws. */
    synchronized void number(Work work, @Nullable Queue taker) {
        work.take(submitted + 1);
        OrderCheck check = OrderCheck.installed;
        if (check != null) check.enter(work);
        if (taker != null) taker.enqueue(work);
        submitted++;
    }

    synchronized long submitted() {
        return submitted;
    }

    /** Whether the piece of this number is not to run. */
    synchronized boolean skips(long number) {
        return failure != null || number <= skipped;
    }

    /** Marks the work up to a number as ended. */
    synchronized void end(long number, @Nullable Throwable cause) {
        if (cause != null && failure == null) failure = new Failure(number, cause);
        ended = number;
        notifyAll();
    }

    /** Whether the work up to a number is over, failed or not. */
    boolean hasEnded(long number) {
        return ended >= number;
    }

    /** Whether the work up to a number is over and nobody has to be told of a failure in it. */
    boolean isSettled(long number) {
        if (ended < number) return false;
        Failure failed = failure;
        return failed == null || failed.number > number;
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
        if (failure == null) return;
        Throwable cause;
        synchronized (this) {
            cause = failure(number);
            if (cause == null) return;
            failure = null;
            skipped = submitted;
        }
        throw Work.rethrown(cause);
    }
}

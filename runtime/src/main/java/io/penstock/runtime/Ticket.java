package io.penstock.runtime;

/** A piece of work that was submitted to a queue. Keep it only to wait for that work in particular; order needs none. */
public final class Ticket {
    private final Line line;
    private final long number;

    Ticket(Line line, long number) {
        this.line = line;
        this.number = number;
    }

    /** Whether the work is over without a failure that somebody has yet to be told of. Does not wait. */
    public boolean isDone() {
        return line.hasEnded(number) && line.failure(number) == null;
    }

    /** Whether the work is over, failed or not. Does not wait. */
    public boolean isOver() {
        return line.hasEnded(number);
    }

    /**
     * Blocks the calling thread until the work is over.
     *
     * @throws RuntimeException what the work, or earlier work of its queue, has thrown, unless somebody was told before
     * @throws IllegalStateException when called from within work, which never waits for other work
     */
    public void await() {
        Queue.refuseWithinWork();
        Tracing.awaitOnHost(line, number);
        line.await(number);
    }
}

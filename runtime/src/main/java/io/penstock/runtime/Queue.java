package io.penstock.runtime;

/** An ordered line of work for one device. */
public interface Queue {
    /** The device that runs the work. */
    Device device();

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
    void parallel(long count, long grain, RangeBody body);

    /** The work on one piece of a range. */
    @FunctionalInterface
    interface RangeBody {
        /** Works on the items from {@code from} (inclusive) to {@code to} (exclusive). */
        void run(long from, long to);
    }
}

package io.penstock.comm;

import java.util.List;

/**
 * A non-blocking operation under way. It holds its arrays in the ledger: work on queues that conflicts with it waits until it is
 * done, and arrays that are closed meanwhile are freed then. The rank's own thread must not touch them before.
 */
public interface Request {
    /**
     * Whether the operation is done; does not wait.
     *
     * @throws CommunicatorException when the operation failed or can never be done
     */
    boolean isDone();

    /**
     * Waits until the operation is done. Waiting again does nothing.
     *
     * @throws CommunicatorException when the operation failed, on every rank that takes part in it
     */
    void await();

    /** Several operations as one. */
    static Request all(List<? extends Request> requests) {
        return new Request() {
            @Override
            public boolean isDone() {
                boolean done = true;
                for (Request request : requests) done &= request.isDone();
                return done;
            }

            @Override
            public void await() {
                awaitAll(requests);
            }
        };
    }

    /** Waits for all of several operations. */
    static void awaitAll(Iterable<? extends Request> requests) {
        for (Request request : requests) request.await();
    }
}

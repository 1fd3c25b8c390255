package io.penstock.comm;

/** A non-blocking operation under way. The arrays handed to it must not be touched before it is done. */
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

    /** Waits for all of several operations. */
    static void awaitAll(Iterable<? extends Request> requests) {
        for (Request request : requests) request.await();
    }
}

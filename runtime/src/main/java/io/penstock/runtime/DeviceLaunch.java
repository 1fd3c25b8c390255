package io.penstock.runtime;

/**
 * A launch with all its arguments: a function on groups of items. It holds what native memory it needs while it is reachable.
 */
public interface DeviceLaunch {
    /**
     * Hands the launch to the driver, on a queue of the function's device; to be called by the body of work submitted to that
     * queue, which holds the buffers. Returns once it is issued. May be called again, by one thread at a time, and then
     * allocates nothing on Java's heap.
     *
     * @throws IllegalStateException when the driver refuses it, naming the driver's error, or when the calling thread does not
     *     issue work of that queue: the launch would be in no order with anything. {@link Device#queue()} is another one on
     *     another thread, so a body must not ask for it
     */
    void issue(Queue queue);
}

package io.penstock.runtime;

/**
 * Where in a trace something is shown.
 *
 * @param group the device's name, or {@link #HOST} or {@link #MESSAGES}
 * @param lane a queue or a thread
 */
record Place(String group, String lane) {
    static final String HOST = "host";
    static final String MESSAGES = "messages";

    /** That of a queue's work; a queue's name begins with its device's. */
    static Place ofQueue(String queue) {
        int end = queue.indexOf(' ');
        return new Place(end < 0 ? queue : queue.substring(0, end), queue);
    }

    /** That of work which runs on the calling thread, which has submitted it. */
    static Place ofDirectWork(String queue) {
        Place place = ofQueue(queue);
        return new Place(place.group, queue + " on " + threadName());
    }

    /** That of the calling thread. */
    static Place ofThread() {
        return new Place(HOST, threadName());
    }

    private static String threadName() {
        Thread thread = Thread.currentThread();
        String name = thread.getName();
        return name.isEmpty() ? "thread " + thread.threadId() : name + " (" + thread.threadId() + ")";
    }
}

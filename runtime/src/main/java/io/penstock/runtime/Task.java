package io.penstock.runtime;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A piece of work that can be submitted again and again, as a launch in an iteration is. It touches the same bytes each time.
 *
 * <p>Threads may share it.
 */
public final class Task {
    private final What what;
    private final List<Access> accesses;
    private final Runnable body;

    /** The work of a submission that is over; it serves the next one, so that nothing is allocated. */
    private final AtomicReference<@Nullable Work> spare = new AtomicReference<>();

    /**
     * Work to be submitted by {@link Queue#submit(Task)}.
     *
     * @param accesses all memory that the work touches
     * @param body what it does
     */
    public Task(List<Access> accesses, Runnable body) {
        this(What.UNNAMED, accesses, body);
    }

    /**
     * Work with a name.
     *
     * @param label what traces call it, such as the name of a kernel
     * @param accesses all memory that the work touches
     * @param body what it does
     */
    public Task(String label, List<Access> accesses, Runnable body) {
        this(What.work(label), accesses, body);
    }

    private Task(What what, List<Access> accesses, Runnable body) {
        this.what = what;
        this.accesses = List.copyOf(accesses);
        this.body = Objects.requireNonNull(body, "body is null");
    }

    What what() {
        return what;
    }

    List<Access> accesses() {
        return accesses;
    }

    Runnable body() {
        return body;
    }

    Work work(Line line) {
        Work work = spare.getAndSet(null);
        if (work == null) return new Work(line, what, accesses, body);
        work.renew(line);
        return work;
    }

    void giveBack(Work work) {
        if (!work.isKept()) spare.setRelease(work);
    }
}

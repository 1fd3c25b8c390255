package io.penstock.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A use of memory by something that is no queue, such as a message under way: work in the ledger from {@link #begin} until
 * {@link #end}. What is submitted to queues meanwhile and conflicts with it waits until it has ended.
 *
 * <p>Occupations do not wait for each other: whoever begins two that are under way at once knows that they do not meet.
 *
 * <p>Whoever waits for an occupation that its own thread is to end would wait for ever; so such a thread brings its occupations
 * forward while it waits.
 *
 * <p>While any is under way, work of direct queues is entered in the ledger, too, as where there are queues apart.
 */
public final class Occupation {
    /** How many occupations are under way, so that nobody looks for them when there is none. */
    private static final AtomicInteger OPEN = new AtomicInteger();

    private static final ThreadLocal<List<Occupation>> OWN = ThreadLocal.withInitial(ArrayList::new);
    private static final long PAUSE = 20_000;

    private static final ScopedValue<Boolean> SERVING = ScopedValue.newInstance();

    private final Work work;
    private final List<Occupation> owners;
    private @Nullable Runnable progress;
    private @Nullable Runnable completion;
    private @Nullable Runnable finish;
    private boolean ended;

    /** Where a trace shows it, and since when; null when there is none. */
    private @Nullable Place place;

    private long begun;

    private Occupation(Work work) {
        this.work = work;
        this.owners = OWN.get();
    }

    /**
     * Takes the memory, and returns once no work is under way that conflicts with the accesses.
     *
     * @param name what it is, for the flight recorder and for failures
     * @throws RuntimeException what work in conflict has thrown, unless somebody was told before; the memory is not taken then
     * @throws IllegalStateException when an array was closed
     */
    public static Occupation begin(String name, List<Access> accesses) {
        Line line = Line.ofOccupation(name);
        Work work = new Work(line, What.message(name), accesses, () -> {});
        work.hold();
        Ledger.occupied();
        OPEN.incrementAndGet();
        try {
            Ledger.enter(work, null);
        } catch (Throwable e) {
            OPEN.decrementAndGet();
            work.release();
            throw e;
        }
        Occupation begun = new Occupation(work);
        try {
            work.waits().awaitEnds(name);
            work.waits().await();
        } catch (Throwable e) {
            begun.end(null);
            throw e;
        }
        begun.place = Tracing.placeOfMessage();
        begun.begun = System.nanoTime();
        return begun;
    }

    /** Whether any is under way. */
    static boolean areOpen() {
        return OPEN.get() != 0;
    }

    /**
     * Says how the calling thread, which will end this occupation, can bring it forward when it has to wait. When either throws, the
     * occupation ends as failed.
     *
     * @param poll ends the occupation if it can be ended by now, while the thread waits for something else that may need it
     * @param complete ends the occupation, by waiting for as long as it may: the thread waits for nothing but this
     */
    public void progress(Runnable poll, Runnable complete) {
        progress = poll;
        completion = complete;
        owners.add(this);
    }

    /** Has something done to the memory before it is given back, unless what occupies it fails. */
    public void finish(Runnable last) {
        finish = last;
    }

    /**
     * Gives the memory back; ending again does nothing. By the thread that began it, or once that thread is gone.
     *
     * @param failure what is thrown to those who wait for the memory, null when all went well
     */
    public void end(@Nullable Throwable failure) {
        if (ended) return;
        ended = true;
        Throwable late = failure == null ? runLast() : null;
        OPEN.decrementAndGet();
        if (progress != null) owners.remove(this);
        if (place != null) Tracing.ended(work, place, begun, System.nanoTime(), failure);
        try {
            work.release();
        } finally {
            work.line().end(work.number(), late != null ? late : failure);
        }
        if (late != null) throw Work.rethrown(late);
    }

    private @Nullable Throwable runLast() {
        try {
            if (finish != null) finish.run();
            return null;
        } catch (RuntimeException | Error e) {
            return e;
        }
    }

    /**
     * Runs {@code part} on the calling thread, on memory that it knows to be free for it, as what occupies memory does: no
     * access within waits for anything.
     */
    public static void within(Runnable part) {
        Work.ANY.inside(part);
    }

    /**
     * Runs {@code part}, which submits work that is part of what occupies memory, such as copies out of it and into it: that work
     * waits for nothing, since all that came before is over and all that came later waits for the occupation.
     */
    public static void serving(Runnable part) {
        ScopedValue.where(SERVING, true).run(part);
    }

    static boolean isServing() {
        return SERVING.isBound();
    }

    /** Brings the calling thread's occupations forward until work is over or none is left. */
    static void pollUntil(Line line, long number) {
        if (OPEN.get() == 0) return;
        List<Occupation> own = OWN.get();
        if (line.isOccupation())
            for (Occupation occupation : List.copyOf(own))
                if (occupation.work.line().equals(line)) occupation.forward(occupation.completion);
        while (!own.isEmpty() && !line.hasEnded(number)) {
            for (Occupation occupation : List.copyOf(own)) occupation.forward(occupation.progress);
            if (!line.hasEnded(number)) LockSupport.parkNanos(OWN, PAUSE);
        }
    }

    private void forward(@Nullable Runnable how) {
        if (ended || how == null) return;
        try {
            how.run();
        } catch (RuntimeException e) {
            end(e);
        }
    }
}

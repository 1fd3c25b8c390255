package io.penstock.runtime.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.penstock.runtime.DriverQueue;
import io.penstock.runtime.FailureReader;
import io.penstock.runtime.HostMemory;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a queue was given lately: to tell which launch has recorded a failure, and which are suspect when the device fails.
 *
 * <p>Kernels record failures in pinned memory, so that to look for one costs the host no call. Used under the queue's lock.
 */
final class Launches {
    /** How many are remembered: more than are under way at a time, unless a piece of work issues many. */
    private static final int KEPT = 4096;

    private static final int NAMED = 4;

    /** Where in the record the number of the launch is. */
    private static final int LAUNCH = 4;

    /** A launch's number that is not written yet: kernels first take the record, and then say who they are. */
    private static final int UNSAID = Integer.MIN_VALUE;

    private final long record;

    /** Graphs that were run and are not known to be over; their kernels record failures elsewhere. */
    private final ArrayDeque<Replay> replays = new ArrayDeque<>();

    private record Replay(Launches noted, long number) {}

    private final long[] numbers = new long[KEPT];
    /** A {@link CudaLaunch}, which keeps its program loaded, or a word for something else. */
    private final @Nullable Object[] launches = new @Nullable Object[KEPT];

    private int count;
    /** Before this one, all are forgotten. */
    private int first;

    private volatile long over;

    /** What is given to a queue, whose kernels record failures at an address. */
    Launches(long record) {
        this.record = record;
        HostMemory.ALL.asSlice(record, FailureReader.BYTES).fill((byte) 0);
        HostMemory.ALL.set(JAVA_INT, record + LAUNCH, UNSAID);
    }

    /** Where kernels record failures. */
    long record() {
        return record;
    }

    /**
     * Remembers a launch, or something else by a word for it.
     *
     * @param number the number of the work that it is part of
     * @return the number by which a launch calls itself in the record
     */
    int note(Object launch, long number) {
        int next = count++;
        int k = next & (KEPT - 1);
        numbers[k] = number;
        launches[k] = launch;
        if (count - first > KEPT) first = count - KEPT;
        return next;
    }

    private void forget(long upTo) {
        for (; count - first > 0 && numbers[first & (KEPT - 1)] <= upTo; first++) launches[first & (KEPT - 1)] = null;
    }

    /** Remembers a run of a graph, whose launches were noted down elsewhere. */
    void replay(Launches noted, long number) {
        note("graph", number);
        replays.add(new Replay(noted, number));
    }

    private DriverQueue.@Nullable Failed replayed(long upTo) {
        for (Replay replay = replays.peek(); replay != null && replay.number <= upTo; replay = replays.peek()) {
            DriverQueue.Failed failed = replay.noted.takeFailure(Long.MAX_VALUE);
            if (failed != null) return new DriverQueue.Failed(replay.number, failed.cause());
            replays.remove();
        }
        return null;
    }

    /** Takes the failure that is recorded, if work up to a number, which is over, has recorded it. */
    DriverQueue.@Nullable Failed takeFailure(long upTo) {
        over = upTo;
        DriverQueue.Failed failed = HostMemory.ALL.get(JAVA_INT, record) == 0 ? null : recorded(upTo);
        if (failed == null) failed = replayed(upTo);
        if (failed == null && upTo < Long.MAX_VALUE) forget(upTo);
        return failed;
    }

    /** Synchronized since a graph may be run by several queues. */
    private synchronized DriverQueue.@Nullable Failed recorded(long upTo) {
        VarHandle.acquireFence();
        int number = HostMemory.ALL.get(JAVA_INT, record + LAUNCH);
        if (number == UNSAID) return null;
        int k = number & (KEPT - 1);
        boolean known = number - first >= 0 && count - number > 0 && launches[k] instanceof CudaLaunch;
        if (known && numbers[k] > upTo) return null; // Whoever has recorded it may still be writing.
        RuntimeException cause = known && launches[k] instanceof CudaLaunch launch
                ? launch.failures().read(HostMemory.ALL.asSlice(record, FailureReader.BYTES))
                : new IllegalStateException(
                        "a kernel has failed, and so many were launched since that its name is lost");
        HostMemory.ALL.set(JAVA_INT, record + LAUNCH, UNSAID);
        VarHandle.releaseFence();
        HostMemory.ALL.set(JAVA_INT, record, 0);
        return new DriverQueue.Failed(known ? numbers[k] : upTo, cause);
    }

    /** The oldest few of those that are not known to be over. Called when the device has failed, perhaps on another thread. */
    List<String> underWay() {
        List<String> found = new ArrayList<>();
        for (int next = first; count - next > 0 && found.size() < NAMED; next++) {
            int k = next & (KEPT - 1);
            Object launch = launches[k];
            if (numbers[k] <= over || launch == null) continue;
            found.add((launch instanceof CudaLaunch known ? "kernel " + known.name() : launch) + " (work " + numbers[k]
                    + ")");
        }
        return found;
    }
}

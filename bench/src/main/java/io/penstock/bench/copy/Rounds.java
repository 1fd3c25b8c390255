package io.penstock.bench.copy;

import io.penstock.runtime.Moment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Runs lanes at the same time, a host thread for each, round after round. A round lasts from when the first queue begins it until
 * the last has done it, by the devices' clocks; the next begins when it is over.
 */
final class Rounds {
    private static final double WARM_UP_SECONDS = 0.5;
    private static final int FEWEST_WARM_UPS = 5;
    private static final int SPINS = 10_000;

    private final List<Lane> lanes;
    private final int rounds;
    private final AtomicInteger arrived = new AtomicInteger();
    private final long[][] begins;
    private final long[][] ends;
    private final double[][] host;
    private volatile boolean warm;
    private volatile @Nullable Throwable failure;

    /**
     * What was measured.
     *
     * @param round how long a round took
     * @param launch how long the host was busy with one launch
     */
    record Times(Spread round, Spread launch) {}

    private Rounds(List<Lane> lanes, int rounds) {
        this.lanes = lanes;
        this.rounds = rounds;
        this.begins = new long[lanes.size()][rounds];
        this.ends = new long[lanes.size()][rounds];
        this.host = new double[lanes.size()][rounds];
    }

    static Times measure(List<Lane> lanes, int rounds) {
        Rounds all = new Rounds(lanes, rounds);
        List<Thread> threads = new ArrayList<>();
        for (int i = 1; i < lanes.size(); i++) {
            int lane = i;
            threads.add(Thread.ofPlatform().daemon().start(() -> all.run(lane)));
        }
        all.run(0);
        for (Thread thread : threads) join(thread);
        Throwable failed = all.failure;
        if (failed != null) throw new IllegalStateException(failed.getMessage(), failed);
        return all.times();
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while measuring", e);
        }
    }

    private void run(int lane) {
        try {
            long end = System.nanoTime() + (long) (WARM_UP_SECONDS * 1e9);
            int done = 0;
            do {
                meet();
                round(lane, 0);
                done++;
                // The first lane decides, so that all do as many rounds.
                if (lane == 0) warm = done >= FEWEST_WARM_UPS && System.nanoTime() > end;
                meet();
            } while (!warm);
            for (int i = 0; i < rounds; i++) {
                meet();
                round(lane, i);
            }
        } catch (RuntimeException | Error e) {
            if (failure == null) failure = e;
        }
    }

    private void round(int lane, int slot) {
        Lane own = lanes.get(lane);
        Moment begin = own.queue().moment();
        long start = System.nanoTime();
        own.launch().run();
        host[lane][slot] = (System.nanoTime() - start) * 1e-9;
        Moment end = own.queue().moment();
        ends[lane][slot] = end.nanos();
        begins[lane][slot] = begin.nanos();
    }

    /** Returns once all threads are here; none sleeps meanwhile, since that would be in the times. */
    private void meet() {
        int target = (arrived.getAndIncrement() / lanes.size() + 1) * lanes.size();
        for (int spins = 0; arrived.get() < target; spins++) {
            if (failure != null) throw new IllegalStateException("another thread of the round has failed");
            if (spins > SPINS) LockSupport.parkNanos(1);
            else Thread.onSpinWait();
        }
    }

    private Times times() {
        double[] round = new double[rounds];
        double[] launch = new double[rounds * lanes.size()];
        for (int i = 0; i < rounds; i++) {
            long begin = Long.MAX_VALUE;
            long end = Long.MIN_VALUE;
            for (int lane = 0; lane < lanes.size(); lane++) {
                begin = Math.min(begin, begins[lane][i]);
                end = Math.max(end, ends[lane][i]);
                launch[i * lanes.size() + lane] = host[lane][i];
            }
            round[i] = (end - begin) * 1e-9;
        }
        return new Times(Spread.of(round), Spread.of(launch));
    }
}

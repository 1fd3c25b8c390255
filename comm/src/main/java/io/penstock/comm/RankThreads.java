package io.penstock.comm;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** The threads of one run, seen from the thread that waits for them. */
final class RankThreads {
    /** How long, in milliseconds, ranks that a failure finds outside any communicator go on before they are interrupted. */
    private static final long GRACE = 500;

    /** How long, in milliseconds, to wait for ranks that were interrupted, before leaving them behind. */
    private static final long PATIENCE = 10_000;

    private static final long LOOK = 20;

    private final World world;
    private final CountDownLatch running;
    private final List<? extends RankThread<?>> threads;
    private boolean interrupted;

    RankThreads(World world, CountDownLatch running, List<? extends RankThread<?>> threads) {
        this.world = world;
        this.running = running;
        this.threads = threads;
    }

    /** Returns once all ranks have ended well; otherwise throws, once they have ended or will not end. */
    void join() {
        try {
            while (world.failure() == null) if (ended(LOOK)) break;
            Failure failure = world.failure();
            if (failure == null) return;
            if (interrupted || !ended(GRACE))
                threads.forEach(rank -> rank.thread().interrupt());
            ended(Math.min(world.deadlineMillis(), PATIENCE));
            throw error(failure);
        } finally {
            if (interrupted) Thread.currentThread().interrupt();
        }
    }

    /** Waits up to {@code millis} for all ranks to end. The first interruption ends them. */
    private boolean ended(long millis) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (true) {
            try {
                if (!running.await(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS)) return false;
                for (RankThread<?> rank : threads) rank.thread().join();
                return true;
            } catch (InterruptedException e) {
                if (!interrupted) world.fail(new Failure("the thread that started the ranks was interrupted", e));
                interrupted = true;
                threads.forEach(rank -> rank.thread().interrupt());
            }
        }
    }

    private CommunicatorException error(Failure failure) {
        StringBuilder message = new StringBuilder(failure.message());
        for (RankThread<?> rank : threads)
            if (!rank.state().ended)
                message.append("\nrank ")
                        .append(rank.state().rank())
                        .append(" does not end: ")
                        .append(RankBoard.line(rank.state()));
        List<Throwable> others = new ArrayList<>();
        List<Integer> alike = new ArrayList<>();
        for (RankThread<?> rank : threads) {
            Throwable thrown = rank.thrown();
            if (thrown == null || failure.isEcho(thrown)) continue;
            if (Failure.isAlike(thrown, failure.cause())) alike.add(rank.state().rank());
            else others.add(thrown);
        }
        if (!alike.isEmpty())
            message.append("; alike failed rank")
                    .append(alike.size() == 1 ? " " : "s ")
                    .append(alike.stream().map(String::valueOf).collect(Collectors.joining(", ")));
        CommunicatorException error = new CommunicatorException(message.toString(), failure.cause());
        others.forEach(error::addSuppressed);
        return error;
    }
}

package io.penstock.comm;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * The thread that looks after a rank that waits within MPI, from where it cannot be called back: after the deadline it says
 * where the rank stands and ends the job. The rank's thread pays a number written before and after each wait.
 */
final class MpiWatch {
    private static final long LONGEST_LOOK = 1_000_000_000L;
    /** How long a process may go on after its rank's program threw. */
    private static final long GRACE = 5_000_000_000L;
    /** How long MPI may take to end the process. */
    private static final long PATIENCE = 2_000;

    private final MpiWorld world;
    private final Thread thread =
            Thread.ofPlatform().daemon().name("penstock-mpi-watch").unstarted(this::watch);
    private volatile long deadline = Long.MAX_VALUE;
    private volatile boolean failed;

    MpiWatch(MpiWorld world) {
        this.world = world;
        thread.start();
    }

    /** A program begins. */
    void begin(Duration newDeadline) {
        deadline = newDeadline.toNanos();
        LockSupport.unpark(thread);
    }

    /** The program has ended. */
    void end() {
        deadline = Long.MAX_VALUE;
    }

    /** The program threw: the process has a little time to say so and to end. */
    void failed() {
        failed = true;
        LockSupport.unpark(thread);
    }

    private void watch() {
        long seen = 0;
        long since = System.nanoTime();
        while (!failed) {
            LockSupport.parkNanos(this, Math.min(LONGEST_LOOK, deadline / 4));
            long inside = world.inside();
            long now = System.nanoTime();
            if (inside == 0 || inside != seen) {
                seen = inside;
                since = now;
            } else if (now - since > deadline) {
                LastWords.say(late());
                abort();
            }
        }
        long end = System.nanoTime() + GRACE;
        while (System.nanoTime() < end) LockSupport.parkNanos(this, GRACE);
        LastWords.say("rank " + world.me().rank() + " has failed and its process goes on; ending all ranks");
        abort();
    }

    private String late() {
        return "rank " + world.me().rank() + " waited " + deadline * 1e-9
                + " s, which is the deadline (penstock.comm.deadline), so all ranks are ended; it stands here: "
                + RankBoard.line(world.me());
    }

    /** Ends all ranks of the job. */
    void abort() {
        Thread.ofPlatform().daemon().name("penstock-mpi-halt").start(() -> {
            LockSupport.parkNanos(this, PATIENCE * 1_000_000);
            Runtime.getRuntime().halt(1);
        });
        // Without full thread support MPI may not be called while the rank's thread is within it; the launcher ends the
        // others when it sees this process end.
        if (world.hasThreadsMultiple() || world.inside() == 0)
            world.mpi().abort(world.library().abi().commWorld(), 1);
        Runtime.getRuntime().halt(1);
    }
}

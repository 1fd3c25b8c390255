package io.penstock.comm;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The thread that looks after a rank that waits within MPI, from where it cannot be called back: it tells the job's board where
 * the rank stands, complains when the rank waits too long, and ends the process when the ranks have failed. The rank's thread
 * pays a number written before and after each wait.
 */
final class MpiWatch {
    private static final long LONGEST_LOOK = 1_000_000_000L;
    /** How long a process may go on after the ranks have failed, when its own thread is to tell. */
    private static final long GRACE = 5_000_000_000L;
    /** How long a rank that has told why it ends leaves the others to tell as well, before it ends the job. */
    static final long SETTLE = 2_000_000_000L;
    /** How long a rank that has failed waits to hear who failed first. */
    private static final long NEWS = 1_000_000_000L;
    /** In place of the number of a call within MPI. */
    private static final long ON_DEVICE = -1;
    /** How long MPI may take to end the process. */
    private static final long PATIENCE = 2_000;

    private final MpiWorld world;
    private final JobSeat seat;
    private final Thread thread =
            Thread.ofPlatform().daemon().name("penstock-mpi-watch").unstarted(this::watch);
    private volatile @Nullable RanksOptions options;
    private volatile boolean failed;
    private volatile boolean told;
    /** When this rank complained first in its present wait; 0 when it has not. */
    private long complained;

    MpiWatch(MpiWorld world) {
        this.world = world;
        this.seat = new JobSeat(world.me().rank(), this::standing, this::doing, world::inside, this::ended);
        thread.start();
    }

    JobSeat seat() {
        return seat;
    }

    /** A program begins. */
    void begin(RanksOptions newOptions) {
        options = newOptions;
        LockSupport.unpark(thread);
    }

    /** The program has ended. */
    void end() {
        options = null;
    }

    /** The program threw: the process has a little time to say so and to end. Returns what all ranks are told. */
    String failed(Failure why) {
        told = true;
        seat.failed(why.message());
        String announced = seat.isConnected() ? seat.awaitEnd(NEWS) : null;
        failed = true;
        LockSupport.unpark(thread);
        return announced == null ? why.message() : announced;
    }

    private String standing() {
        return RankBoard.line(world.me(), world.inside() != 0 ? "other ranks within MPI" : null);
    }

    private JobLine.Word doing() {
        if (world.inside() != 0 || waitsOnDevice()) return JobLine.Word.WAITS;
        return world.me().isAtWork() ? JobLine.Word.WORKS : JobLine.Word.STANDS;
    }

    /** Whether the rank waits for other ranks in a call of NCCL's. */
    private boolean waitsOnDevice() {
        return world.me().onDevice != null && !world.me().isAtWork();
    }

    /** The ranks have failed elsewhere: says so where the rank's own thread cannot. */
    private void ended(String why) {
        if (told) return;
        world.fail(new Failure(why, null));
        RanksOptions known = options;
        if (known != null && known.onHang() == OnHang.DUMP)
            RankBoard.dump("rank " + world.me().rank(), world.me().thread);
        failed = true;
        LockSupport.unpark(thread);
    }

    private void watch() {
        long seen = 0;
        long since = System.nanoTime();
        while (!failed) {
            RanksOptions known = options;
            long deadline = known == null ? Long.MAX_VALUE : known.deadline().toNanos();
            long rest = Math.min(LONGEST_LOOK, deadline / 4);
            long left = deadline - (System.nanoTime() - since);
            LockSupport.parkNanos(this, seen != 0 && left > 0 ? Math.min(rest, left) : rest);
            long inside = world.inside();
            if (inside == 0 && waitsOnDevice()) inside = ON_DEVICE;
            long now = System.nanoTime();
            if (inside == 0 || inside != seen) {
                seen = inside;
                since = now;
                complained = 0;
            } else if (known != null) waited(known, now - since, now);
            seat.tell();
        }
        close();
    }

    private void waited(RanksOptions known, long waited, long now) {
        long limit = known.limit().toNanos();
        if (!seat.isConnected()) {
            if (waited > limit) ended(late(known, waited));
            return;
        }
        // Whether a rank answers shows only after a while, so that all are asked before; nobody is judged before the
        // deadline.
        long deadline = known.deadline().toNanos();
        if (waited < deadline - Math.min(2 * JobBoard.ANSWER, deadline / 2)) return;
        if (complained == 0) complained = now;
        if (waited < deadline) {
            seat.uneasy();
            return;
        }
        if (now - Math.max(complained, seat.asked()) > 2 * JobBoard.ANSWER)
            ended("rank 0 does not answer: its process hangs, or the way to it is cut; " + late(known, waited));
        seat.late(waited >= limit, waited(known, waited));
    }

    private String late(RanksOptions known, long waited) {
        return "rank " + world.me().rank() + " " + waited(known, waited);
    }

    private String waited(RanksOptions known, long waited) {
        return "waited " + Patience.seconds(waited) + " in " + RankBoard.call(world.me()) + ", "
                + Patience.name(known, waited);
    }

    /** Gives the rank's own thread time to tell; tells in its place where it is stuck within MPI. */
    private void close() {
        long end = System.nanoTime() + GRACE;
        while (System.nanoTime() < end) {
            if (world.inside() != 0 && !told) {
                tell();
                seat.awaitAllTold(SETTLE);
                break;
            }
            LockSupport.parkNanos(this, 20_000_000);
        }
        Failure why = world.failure();
        if (world.inside() == 0 && why != null)
            LastWords.say("rank " + world.me().rank() + " goes on, though the ranks have failed; ending all: "
                    + why.message());
        abort();
    }

    /** Says why the ranks have failed, if nobody has said it yet. */
    synchronized void tell() {
        Failure why = world.failure();
        if (told || why == null) return;
        told = true;
        // One table of where all ranks stand is enough for a job.
        String message = why.message();
        if (world.me().rank() != 0) message = message.lines().findFirst().orElse("");
        LastWords.say("rank " + world.me().rank() + " ends in " + RankBoard.call(world.me()) + ": " + message);
        seat.told();
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

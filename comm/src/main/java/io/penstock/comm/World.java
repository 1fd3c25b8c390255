package io.penstock.comm;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The ranks of one run, which live and fail together: all groups split from the first one share it.
 *
 * <p>A rank spins for as long as its {@link SpinBudget} allows and then parks. Whoever ends a wait first makes
 * {@link Wait#isOver} true and then looks who has announced that wait; a rank first announces it and then looks whether it is
 * over; so no wake-up is lost.
 */
final class World {
    private final RankState[] ranks;
    private final RanksOptions options;
    private final AtomicReference<@Nullable Failure> failure = new AtomicReference<>();

    World(int size, RanksOptions options) {
        this.options = options;
        this.ranks = new RankState[size];
        for (int r = 0; r < size; r++) ranks[r] = new RankState(r, size);
    }

    long deadlineMillis() {
        return options.deadline().toMillis();
    }

    int size() {
        return ranks.length;
    }

    RankState rank(int rank) {
        return ranks[rank];
    }

    @Nullable
    Failure failure() {
        return failure.get();
    }

    /** Ends all ranks; only the first failure counts. */
    void fail(Failure why) {
        if (!failure.compareAndSet(null, why)) return;
        for (RankState state : ranks) LockSupport.unpark(state.waiter);
    }

    /** Throws when the ranks have failed, once nobody touches the arrays of this rank any more. */
    void check() {
        Failure why = failure.get();
        if (why == null) return;
        quiesce();
        throw why.exception();
    }

    /** After a failure: returns once no rank is within a copy. None begins one after it. */
    void quiesce() {
        for (RankState state : ranks) while (state.copying) Thread.onSpinWait();
    }

    /** Announces that {@code me} is about to touch arrays that other ranks handed over. */
    void beginCopy(RankState me) {
        me.copying = true;
        if (failure.get() != null) {
            me.copying = false;
            check();
        }
    }

    void endCopy(RankState me) {
        me.copying = false;
    }

    /**
     * Fails because a copy threw. An array that another rank freed under its own request is most often the sign of an exception
     * on its way out of that rank, and the first to be reported must be that one: it gets a moment to arrive.
     */
    void failCopying(RankState me, Throwable thrown) {
        long end = System.nanoTime() + 200_000_000L;
        while (failure.get() == null && thrown instanceof IllegalStateException && System.nanoTime() < end)
            Thread.onSpinWait();
        fail(Failure.of(me, thrown));
        check();
    }

    void end(RankState me) {
        me.ended = true;
        for (RankState state : ranks) LockSupport.unpark(state.waiter);
    }

    /** Wakes {@code state} if this is what it waits for. */
    void wake(RankState state, Wait over) {
        if (state.waitsFor(over)) LockSupport.unpark(state.waiter);
    }

    /** Returns once {@code wait} is over. */
    void await(RankState me, Wait wait) {
        if (!me.spinning().spin(wait)) park(me, wait);
    }

    private void park(RankState me, Wait wait) {
        long start = System.nanoTime();
        Patience patience = new Patience(options);
        me.beginWait(wait);
        try {
            while (!wait.isOver()) {
                check();
                if (Thread.currentThread().isInterrupted())
                    fail(new Failure(
                            "rank " + me.rank() + " was interrupted while it waited for " + wait.awaited(), null));
                else {
                    diagnose(wait);
                    long left = patience.left(System.nanoTime() - start, this::isAnyAtWork);
                    if (left <= 0) late(me, wait, System.nanoTime() - start);
                    else if (failure.get() == null) LockSupport.parkNanos(this, left);
                }
            }
        } finally {
            me.endWait();
        }
    }

    /** Fails when a rank has waited too long for others in a call on its device, by the same measure as in calls on the host. */
    void waitsOnDevice(RankState me, String what, long waited) {
        boolean patient = waited < options.limit().toNanos() && isAnyAtWork();
        if (waited < options.deadline().toNanos() || patient) return;
        fail(new Failure(
                "rank " + me.rank() + " waited " + Patience.seconds(waited) + " for other ranks in " + what
                        + " on its device, " + Patience.name(options, waited) + "; the ranks stand here:\n"
                        + RankBoard.describe(ranks),
                null));
    }

    private boolean isAnyAtWork() {
        for (RankState state : ranks) if (state.isAtWork()) return true;
        return false;
    }

    private void late(RankState me, Wait wait, long waited) {
        long allowed = (waited >= options.limit().toNanos() ? options.limit() : options.deadline()).toNanos();
        String message =
                "rank " + me.rank() + " waited " + Patience.seconds(allowed) + " for " + wait.awaited() + " in "
                        + RankBoard.call(me) + ", " + Patience.name(options, waited) + "; the ranks stand here:\n"
                        + RankBoard.describe(ranks);
        if (options.onHang() == OnHang.DUMP && failure.get() == null)
            for (RankState rank : ranks) RankBoard.dump("rank " + rank.rank(), rank.thread);
        fail(new Failure(message, null));
    }

    private void diagnose(Wait wait) {
        String hopeless = wait.hopeless();
        if (hopeless != null && !wait.isOver())
            fail(new Failure(hopeless + "; the ranks stand here:\n" + RankBoard.describe(ranks), null));
        else if (stuck())
            fail(new Failure("all ranks wait for each other and none can go on:\n" + RankBoard.describe(ranks), null));
    }

    /**
     * Whether every rank has ended or waits in vain. Ranks found waiting, and found in the same wait again in a second pass, all
     * waited at the moment between the passes; if then none of the waits is over, nobody is left to end one.
     */
    private boolean stuck() {
        long[] seen = new long[ranks.length];
        for (int r = 0; r < ranks.length; r++) {
            if (ranks[r].ended) continue;
            seen[r] = ranks[r].waits;
            if (ranks[r].wait == null) return false;
        }
        for (int r = 0; r < ranks.length; r++) {
            if (ranks[r].ended) continue;
            Wait wait = ranks[r].wait;
            if (wait == null || wait.isOver()) return false;
            // A rank that has gone on may have let the wait be used again, which then is not over any more.
            if (!ranks[r].waitsFor(wait) || ranks[r].waits != seen[r]) return false;
        }
        return true;
    }
}

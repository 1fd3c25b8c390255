package io.penstock.comm;

import io.penstock.runtime.Occupation;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One collective in progress: where the ranks of a group lay down their calls.
 *
 * <p>The rank that comes last compares the calls. The work is then cut into pieces that any rank may do, whichever waits or
 * asks; so a collective that was begun without waiting completes without the ranks that are busy elsewhere. The collectives of
 * a group form a chain in the order of their calls. A rendezvous that every rank waited in is used again, which keeps the
 * smallest reductions free of allocation.
 */
final class Rendezvous implements Wait {
    private final InProcessGroup group;
    private final Call[] calls;
    private final AtomicInteger arrived = new AtomicInteger();
    private final AtomicInteger claimed = new AtomicInteger();
    private final AtomicInteger unfinished = new AtomicInteger();
    private final AtomicReference<@Nullable Rendezvous> next = new AtomicReference<>();
    private volatile int pieces;
    private volatile boolean done;
    private volatile boolean requested;
    private @Nullable Rendezvous previous;
    private long sequence;
    private InProcessGroup @Nullable [] divided;

    Rendezvous(InProcessGroup group) {
        this.group = group;
        this.calls = new Call[group.size()];
        Arrays.fill(calls, Call.ABSENT);
    }

    void reset() {
        pieces = 0;
        done = false;
        claimed.set(0);
        unfinished.set(0);
        arrived.set(0);
        Arrays.fill(calls, Call.ABSENT);
        next.set(null);
        previous = null;
        divided = null;
    }

    @Nullable
    Rendezvous next() {
        return next.get();
    }

    /** Appends {@code fresh} to the chain unless another rank was faster; returns what comes next. */
    Rendezvous follow(Rendezvous fresh) {
        fresh.previous = this;
        fresh.sequence = sequence + 1;
        if (next.compareAndSet(null, fresh)) return fresh;
        fresh.previous = null;
        return Objects.requireNonNull(next.get());
    }

    /** Lays down the call of a rank that will wait here and nowhere else before it goes on. */
    void enter(int rank, Call call) {
        calls[rank] = call;
        if (arrived.incrementAndGet() == calls.length) meet(group.state(rank));
    }

    /** Lays down the call of a rank that goes on without waiting. */
    void request(int rank, Call call) {
        requested = true;
        enter(rank, call);
    }

    /** All calls are here. */
    private void meet(RankState me) {
        retirePrevious();
        String difference = Agreement.difference(calls);
        if (difference != null) {
            group.world()
                    .fail(new Failure(
                            Agreement.message(difference, sequence, group.name(), calls, group::label), null));
            group.world().check();
        }
        if (calls[0].kind() == CallKind.SPLIT) divided = group.divide(calls);
        int count = CollectiveWork.pieces(calls);
        unfinished.set(count);
        if (count == 0 || CollectiveWork.isSmall(calls)) {
            claimed.set(count);
            for (int piece = 0; piece < count; piece++) run(piece, me);
            finish();
        } else {
            pieces = count;
            wake();
        }
    }

    /** All ranks have come here, so none can be at the one before, unless it holds a request. */
    private void retirePrevious() {
        Rendezvous left = previous;
        previous = null;
        if (left == null) return;
        if (left.requested) left.next.set(null);
        else group.recycle(left);
    }

    /** Waits until the collective is done, working on it meanwhile. */
    void await(RankState me) {
        while (true) {
            group.world().await(me, this);
            if (done) return;
            work(me);
        }
    }

    /** Does what pieces are left to do, without waiting for any. */
    boolean advance(RankState me) {
        work(me);
        return done;
    }

    private void work(RankState me) {
        int count = pieces;
        if (claimed.get() >= count) return;
        while (true) {
            int piece = claimed.getAndIncrement();
            if (piece >= count) return;
            run(piece, me);
            if (unfinished.decrementAndGet() == 0) finish();
        }
    }

    private void run(int piece, RankState me) {
        World world = group.world();
        world.beginCopy(me);
        try {
            // Each rank has waited until its memory was free.
            if (calls[0].kind() == CallKind.ALL_REDUCE_VALUES) CollectiveWork.run(calls, piece, me);
            else Occupation.within(() -> CollectiveWork.run(calls, piece, me));
        } catch (RuntimeException | Error e) {
            world.endCopy(me);
            world.failCopying(me, e);
        } finally {
            world.endCopy(me);
        }
    }

    private void finish() {
        done = true;
        wake();
    }

    private void wake() {
        for (int r = 0; r < calls.length; r++) group.world().wake(group.state(r), this);
    }

    @SuppressWarnings("ReferenceEquality") // a call has an identity and no value
    private boolean isAbsent(int rank) {
        return calls[rank] == Call.ABSENT;
    }

    /** The group that split put a rank in. */
    InProcessGroup divided(int rank) {
        return Objects.requireNonNull(divided)[rank];
    }

    @Override
    public boolean isOver() {
        return done || claimed.get() < pieces;
    }

    @Override
    public String awaited() {
        int[] absent = IntStream.range(0, calls.length).filter(r -> isAbsent(r)).toArray();
        return absent.length == 0 ? "the work on collective " + sequence : group.labels(absent);
    }

    @Override
    public @Nullable String hopeless() {
        for (int r = 0; r < calls.length; r++)
            if (group.state(r).ended && isAbsent(r))
                return group.label(r) + " ended without taking part in collective " + sequence + " of the "
                        + group.name() + ", which others wait in";
        return null;
    }
}

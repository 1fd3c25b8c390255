package io.penstock.comm;

import org.jspecify.annotations.Nullable;

/** A collective that a rank has begun and not waited for. */
final class CollectiveRequest implements Request, Operation {
    private final RankState me;
    private final World world;
    private final Call call;
    private final Outstanding outstanding;
    private @Nullable Rendezvous rendezvous;

    CollectiveRequest(World world, RankState me, Call call, Rendezvous rendezvous, Outstanding outstanding) {
        this.outstanding = outstanding;
        this.world = world;
        this.me = me;
        this.call = call;
        this.rendezvous = rendezvous;
    }

    @Override
    public boolean isDone() {
        Rendezvous open = rendezvous;
        if (open == null) return true;
        if (!open.advance(me) && open.hopeless() == null && world.failure() == null) return false;
        await();
        return true;
    }

    @Override
    public void await() {
        Rendezvous open = rendezvous;
        if (open == null) return;
        open.await(me);
        rendezvous = null;
        outstanding.end(this);
    }

    @Override
    public String describe() {
        return call.describe();
    }
}

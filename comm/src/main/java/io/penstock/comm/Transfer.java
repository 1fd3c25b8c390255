package io.penstock.comm;

import io.penstock.array.NDArray;
import io.penstock.runtime.Occupation;
import org.jspecify.annotations.Nullable;

/**
 * One end of a message between two ranks. The end that comes second copies, straight from the sender's array into the
 * receiver's.
 */
final class Transfer implements Request, Operation, Wait {
    private final InProcessGroup group;
    private final RankState me;
    private final boolean send;
    private final int source;
    private final int destination;
    private final int tag;
    private final NDArray data;
    private final Outstanding outstanding;
    private volatile boolean done;

    private Transfer(
            InProcessGroup group,
            boolean send,
            int source,
            int destination,
            int tag,
            NDArray data,
            Outstanding outstanding) {
        this.outstanding = outstanding;
        this.group = group;
        this.send = send;
        this.source = source;
        this.destination = destination;
        this.tag = tag;
        this.data = data;
        this.me = group.state(send ? source : destination);
    }

    static Transfer send(
            InProcessGroup group, int rank, int destination, int tag, NDArray data, Outstanding outstanding) {
        return new Transfer(group, true, rank, destination, tag, data, outstanding);
    }

    static Transfer receive(
            InProcessGroup group, int rank, int source, int tag, NDArray data, Outstanding outstanding) {
        return new Transfer(group, false, source, rank, tag, data, outstanding);
    }

    boolean isSend() {
        return send;
    }

    boolean matches(Transfer other) {
        return source == other.source && tag == other.tag;
    }

    /** Makes the transfer known, and carries it out if the other end is there already. */
    void post() {
        World world = group.world();
        Transfer other = group.mailbox(destination).meet(this);
        if (other == null) return;
        Transfer from = send ? this : other;
        Transfer to = send ? other : this;
        if (from.data.size() != to.data.size() || from.data.dtype() != to.data.dtype()) {
            world.fail(new Failure(
                    "sender and receiver disagree about a message:\n  " + from.line() + "\n  " + to.line(), null));
            world.check();
        }
        world.beginCopy(me);
        try {
            // Both ends have waited until their memory was free.
            Occupation.within(() -> ArrayCopy.copy(to.data, from.data, me));
        } catch (RuntimeException | Error e) {
            world.endCopy(me);
            world.failCopying(me, e);
        } finally {
            world.endCopy(me);
        }
        done = true;
        other.done = true;
        world.wake(other.me, other);
    }

    private String line() {
        return group.label(send ? source : destination) + ": " + describe();
    }

    @Override
    public void await() {
        if (!done) group.world().await(me, this);
        outstanding.end(this);
    }

    @Override
    public boolean isDone() {
        World world = group.world();
        if (!done && hopeless() == null && world.failure() == null) return false;
        await();
        return true;
    }

    @Override
    public boolean isOver() {
        return done;
    }

    @Override
    public String awaited() {
        return group.label(send ? destination : source) + (send ? " to receive" : " to send");
    }

    @Override
    public @Nullable String hopeless() {
        int peer = send ? destination : source;
        if (!group.state(peer).ended || done) return null;
        return group.label(peer) + " ended, but " + group.label(send ? source : destination) + " waits for it in "
                + describe();
    }

    @Override
    public String describe() {
        return describe(send, data, group.label(send ? destination : source), tag);
    }

    /** A message as a person would write the call. */
    static String describe(boolean send, NDArray data, String peer, int tag) {
        return (send ? "send(" : "receive(") + data.size() + " x " + data.dtype() + (send ? " to " : " from ") + peer
                + ", tag " + tag + ")";
    }
}

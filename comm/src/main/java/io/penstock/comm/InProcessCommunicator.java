package io.penstock.comm;

import io.penstock.array.NDArray;
import io.penstock.runtime.Occupation;
import org.jspecify.annotations.Nullable;

/** One rank's end of a group of threads in this JVM. */
final class InProcessCommunicator extends CheckedCommunicator {
    private final InProcessGroup group;
    private final World world;
    private final RankState me;
    private final int rank;
    private Rendezvous last;

    InProcessCommunicator(InProcessGroup group, RankState me, @Nullable InProcessCommunicator parent) {
        super(me, parent);
        this.group = group;
        this.world = group.world();
        this.me = me;
        this.rank = group.rankOf(me);
        this.last = group.start();
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public int size() {
        return group.size();
    }

    @Override
    public String name() {
        return group.name();
    }

    @Override
    void checkAlive() {
        world.check();
    }

    @Override
    void waitsOnDevice(String what, long nanos, RanksOptions options) {
        world.waitsOnDevice(me, what, nanos);
    }

    @Override
    void perform(Call call) {
        meet(call);
    }

    private Rendezvous meet(Call call) {
        last = group.after(last);
        last.enter(rank, call);
        last.await(me);
        return last;
    }

    @Override
    Request begin(Call call, Occupation memory) {
        last = group.after(last);
        CollectiveRequest request = new CollectiveRequest(world, me, call, last, outstanding());
        outstanding().begin(request, request, memory);
        last.request(rank, call);
        return request;
    }

    @Override
    Communicator divide(Call call) {
        return new InProcessCommunicator(meet(call).divided(rank), me, this);
    }

    @Override
    void carry(NDArray data, int destination, int tag) {
        post(outgoing(data, destination, tag)).await();
    }

    @Override
    void accept(NDArray data, int source, int tag) {
        post(incoming(data, source, tag)).await();
    }

    @Override
    void exchange(NDArray send, int destination, NDArray receive, int source, int tag) {
        Transfer incoming = post(incoming(receive, source, tag));
        post(outgoing(send, destination, tag)).await();
        incoming.await();
    }

    @Override
    Request beginCarry(NDArray data, int destination, int tag, Occupation memory) {
        return begin(outgoing(data, destination, tag), memory);
    }

    @Override
    Request beginAccept(NDArray data, int source, int tag, Occupation memory) {
        return begin(incoming(data, source, tag), memory);
    }

    private Transfer outgoing(NDArray data, int destination, int tag) {
        return Transfer.send(group, rank, destination, tag, data, outstanding());
    }

    private Transfer incoming(NDArray data, int source, int tag) {
        return Transfer.receive(group, rank, source, tag, data, outstanding());
    }

    private Request begin(Transfer transfer, Occupation memory) {
        outstanding().begin(transfer, transfer, memory);
        return post(transfer);
    }

    private Transfer post(Transfer transfer) {
        me.entered(transfer);
        transfer.post();
        return transfer;
    }

    /** Ranks that are threads hold nothing but memory. */
    @Override
    void free() {}
}

package io.penstock.comm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** What every kind of communicator refuses before anything is sent, so that the ranks work together as before. */
final class Refusals {
    private final Communicator ranks;
    private final int me;
    private final int next;
    private final int previous;

    private Refusals(Communicator ranks) {
        this.ranks = ranks;
        this.me = ranks.rank();
        this.next = (me + 1) % ranks.size();
        this.previous = (me + ranks.size() - 1) % ranks.size();
    }

    /** To be called by all ranks of a group. */
    static void check(Communicator ranks) {
        Refusals refusals = new Refusals(ranks);
        refusals.closedArrays();
        NDArray sum = NDArray.of(1);
        ranks.allReduce(sum, ReduceOp.SUM);
        assertThat(sum.get(0)).as("afterwards").isEqualTo(ranks.size());
    }

    private List<NDArray> each(NDArray array) {
        return Stream.generate(() -> array).limit(ranks.size()).toList();
    }

    private void closedArrays() {
        NDArray closed = NDArray.full(1, DType.F64, 100);
        NDArray view = closed.slice(0, 3, 5);
        NDArray open = NDArray.zeros(DType.F64, 100);
        closed.close();
        // Most likely in the memory that was just freed.
        NDArray later = NDArray.full(7, DType.F64, 100);
        Stream.<ThrowingCallable>of(
                        () -> ranks.broadcast(closed, 0),
                        () -> ranks.broadcast(view, 0),
                        () -> ranks.allReduce(closed, ReduceOp.SUM),
                        () -> ranks.reduce(closed, ReduceOp.SUM, 0),
                        () -> ranks.reduceScatter(each(closed), open, ReduceOp.SUM),
                        () -> ranks.reduceScatter(each(open), closed, ReduceOp.SUM),
                        () -> ranks.allGather(closed, each(open)),
                        () -> ranks.allGather(open, each(closed)),
                        () -> ranks.gather(closed, each(open), 0),
                        () -> ranks.scatter(each(open), closed, 0),
                        () -> ranks.allToAll(each(closed), each(open)),
                        () -> ranks.allToAll(each(open), each(closed)),
                        () -> ranks.send(closed, next, 1),
                        () -> ranks.receive(closed, previous, 1),
                        () -> ranks.sendReceive(closed, next, open, previous, 1),
                        () -> ranks.sendReceive(open, next, closed, previous, 1),
                        () -> ranks.isend(closed, next, 1),
                        () -> ranks.ireceive(closed, previous, 1),
                        () -> ranks.iexchange(
                                List.of(new Envelope(next, closed)), List.of(new Envelope(previous, open))),
                        () -> ranks.iexchange(
                                List.of(new Envelope(next, open)), List.of(new Envelope(previous, closed))),
                        () -> ranks.ibroadcast(closed, 0),
                        () -> ranks.iallReduce(closed, ReduceOp.SUM),
                        () -> ranks.iallGather(closed, each(open)),
                        () -> ranks.iallToAll(each(open), each(closed)))
                .forEach(call -> assertThatThrownBy(call)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("was freed"));
        assertThat(later.min().get()).isEqualTo(7);
        assertThat(later.max().get()).isEqualTo(7);
    }
}

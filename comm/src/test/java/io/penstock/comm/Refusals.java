package io.penstock.comm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
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
        refusals.overlaps();
        refusals.whatStays();
        refusals.tags();
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

    private List<NDArray> rows(NDArray matrix) {
        return IntStream.range(0, ranks.size()).mapToObj(r -> matrix.at(0, r)).toList();
    }

    private static void overlap(String arrays, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(arrays + " in memory, and the call writes");
    }

    private void overlaps() {
        NDArray a = NDArray.zeros(DType.F64, 10);
        overlap("receive overlaps send", () -> ranks.sendReceive(a, next, a, previous, 1));
        overlap(
                "receive overlaps send",
                () -> ranks.sendReceive(a.slice(0, 0, 6), next, a.slice(0, 5, 10), previous, 1));
        overlap(
                "receives[1] overlaps sends[0]",
                () -> ranks.iexchange(
                        List.of(new Envelope(next, a)),
                        List.of(new Envelope(previous, NDArray.of(1)), new Envelope(previous, a.slice(0, 9, 10)))));
        overlap(
                "receives[1] overlaps receives[0]",
                () -> ranks.iexchange(
                        List.of(), List.of(new Envelope(previous, a), new Envelope(previous, a.flip(0)))));
        if (ranks.size() == 1) return;
        NDArray matrix = NDArray.zeros(DType.F64, ranks.size(), 2);
        List<NDArray> rows = rows(matrix);
        NDArray theirs = matrix.at(0, next);
        overlap("into[" + next + "] overlaps part", () -> ranks.allGather(theirs, rows));
        overlap(
                "into[" + me + "] overlaps part",
                () -> ranks.allGather(rows.get(me).flip(0), rows));
        overlap("into[" + next + "] overlaps part", () -> ranks.iallGather(theirs, rows));
        overlap("into[1] overlaps into[0]", () -> ranks.allGather(NDArray.zeros(DType.F64, 2), each(a.slice(0, 0, 2))));
        overlap("into overlaps parts[" + next + "]", () -> ranks.reduceScatter(rows, theirs, ReduceOp.SUM));
        overlap("into[0] overlaps parts[" + (ranks.size() - 1) + "]", () -> ranks.allToAll(rows(matrix.flip(0)), rows));
    }

    /** What a rank hands over to itself may lie where it is to go, and arrays may lie between each other. */
    private void whatStays() {
        int n = ranks.size();
        NDArray matrix = NDArray.full(me, DType.F64, n, 2);
        ranks.allGather(matrix.at(0, me), rows(matrix));
        for (int r = 0; r < n; r++) assertThat(matrix.get(r, 1)).isEqualTo(r);
        ranks.gather(matrix.at(0, me), rows(matrix), 0);
        ranks.scatter(rows(matrix), matrix.at(0, 0), 0);
        assertThat(matrix.get(0, 1)).isEqualTo(me);
        matrix.fill(me + 1);
        ranks.reduceScatter(rows(matrix), matrix.at(0, me), ReduceOp.SUM);
        for (int r = 0; r < n; r++) assertThat(matrix.get(r, 0)).isEqualTo(r == me ? n * (n + 1) / 2.0 : me + 1);
        NDArray other = NDArray.full(-1, DType.F64, n, 2);
        List<NDArray> parts = new ArrayList<>(rows(matrix));
        parts.set(me, other.at(0, me));
        ranks.allToAll(parts, rows(other));
        for (int r = 0; r < n; r++) assertThat(other.get(r, 0)).isEqualTo(r == me ? -1 : r + 1);
        NDArray columns = NDArray.zeros(DType.F64, 3, n + 1);
        columns.at(1, n).fill(me);
        ranks.allGather(
                columns.at(1, n),
                IntStream.range(0, n).mapToObj(r -> columns.at(1, r)).toList());
        for (int r = 0; r < n; r++) assertThat(columns.get(2, r)).isEqualTo(r);
        NDArray cube = NDArray.full(me, DType.F64, 4, 4, 4);
        NDArray inside = cube.slice(0, 1, 3).slice(1, 1, 3);
        ranks.sendReceive(inside.at(2, 2), next, inside.at(2, 3), previous, 4);
        assertThat(cube.get(2, 2, 3)).isEqualTo(previous);
    }

    private void tags() {
        NDArray data = NDArray.of(me);
        NDArray into = NDArray.of(-1);
        for (int tag : new int[] {-1, 32_768, 1 << 30, Integer.MAX_VALUE})
            Stream.<ThrowingCallable>of(
                            () -> ranks.isend(data, next, tag),
                            () -> ranks.ireceive(into, previous, tag),
                            () -> ranks.sendReceive(data, next, into, previous, tag))
                    .forEach(call -> assertThatThrownBy(call)
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessage("tag is " + tag + "; expected 0 to 32767"));
        ranks.sendReceive(data, next, into, previous, 32_767);
        assertThat(into.get(0)).isEqualTo(previous);
    }
}

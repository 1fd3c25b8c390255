package io.penstock.distributed;

import io.penstock.array.NDArray;
import io.penstock.comm.Communicator;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Moving a distributed array's elements between ranks. Each rank computes from the layouts what goes where, so that elements
 * travel and nothing else does; what a rank keeps is copied, not sent.
 */
final class Redistribution {
    private Redistribution() {}

    /** Copies the elements of one layout into another of the same shape; at most one collective, each element sent at most once. */
    static void copy(DistributedArray from, DistributedArray to) {
        SpaceCheck.compare(from.space());
        SpaceCheck.compare(to.space());
        Layout source = from.space().layout();
        Layout target = to.space().layout();
        Communicator ranks = from.space().ranks();
        if (source.equals(target) || ranks.size() == 1) to.local().assign(from.local());
        else if (source.isReplicated()) to.local().assign(part(from.local(), target, ranks.rank()));
        else if (target.isReplicated()) ranks.allGather(from.local(), parts(to.local(), source));
        else exchange(ranks, from.local(), source, to.local(), target);
    }

    private static void exchange(Communicator ranks, NDArray from, Layout source, NDArray to, Layout target) {
        int me = ranks.rank();
        List<NDArray> parts = new ArrayList<>(ranks.size());
        List<NDArray> into = new ArrayList<>(ranks.size());
        for (int other = 0; other < ranks.size(); other++) {
            NDArray leaving = overlap(from, source, me, target, other);
            NDArray coming = overlap(to, target, me, source, other);
            if (other == me) {
                coming.assign(leaving);
                leaving = leaving.slice(0, 0, 0);
                coming = coming.slice(0, 0, 0);
            }
            parts.add(leaving);
            into.add(coming);
        }
        ranks.allToAll(parts, into);
    }

    /** Of the block that rank {@code me} has in one layout, the part that rank {@code other} has in another. */
    private static NDArray overlap(NDArray block, Layout mine, int me, Layout theirs, int other) {
        long start = theirs.start(other);
        long end = theirs.end(other);
        if (mine.axis() != theirs.axis()) return block.slice(theirs.axis(), start, end);
        long from = Math.max(start, mine.start(me));
        long to = Math.min(end, mine.end(me));
        if (to <= from) return block.slice(mine.axis(), 0, 0);
        return block.slice(mine.axis(), from - mine.start(me), to - mine.start(me));
    }

    /** Brings the parts of an array that only the root has to their ranks. */
    static void scatter(@Nullable NDArray whole, DistributedArray into, int root) {
        DistributedSpace space = into.space();
        boolean here = space.ranks().rank() == root;
        List<NDArray> parts = List.of();
        if (here) {
            Objects.requireNonNull(whole, "whole is null on the root");
            space.global().on(whole.device()).check(whole, "whole");
            if (space.layout().isReplicated()) into.local().assign(whole);
            else parts = parts(whole, space.layout());
        }
        if (space.layout().isReplicated()) space.ranks().broadcast(into.local(), root);
        else space.ranks().scatter(parts, into.local(), root);
    }

    /** The whole array, on the root only. */
    static Optional<NDArray> gather(DistributedArray from, int root) {
        DistributedSpace space = from.space();
        boolean here = space.ranks().rank() == root;
        if (space.layout().isReplicated())
            return here ? Optional.of(from.local().copy()) : Optional.empty();
        if (!here) {
            space.ranks().gather(from.local(), List.of(), root);
            return Optional.empty();
        }
        NDArray whole = space.global().empty();
        space.ranks().gather(from.local(), parts(whole, space.layout()), root);
        return Optional.of(whole);
    }

    /** A new array of several that follow each other along an axis. */
    static NDArray joined(int axis, NDArray... parts) {
        long[] shape = parts[0].shape();
        for (int i = 1; i < parts.length; i++) shape[axis] += parts[i].dim(axis);
        NDArray whole = parts[0].space().reshape(shape).empty();
        long at = 0;
        for (NDArray part : parts) {
            whole.slice(axis, at, at + part.dim(axis)).assign(part);
            at += part.dim(axis);
        }
        return whole;
    }

    /** The part of a whole array that a layout gives a rank, as a view. */
    static NDArray part(NDArray whole, Layout layout, int rank) {
        return layout.isReplicated() ? whole : whole.slice(layout.axis(), layout.start(rank), layout.end(rank));
    }

    /** The parts of a whole array that a layout gives the ranks, as views. */
    static List<NDArray> parts(NDArray whole, Layout layout) {
        List<NDArray> parts = new ArrayList<>(layout.ranks());
        for (int r = 0; r < layout.ranks(); r++) parts.add(part(whole, layout, r));
        return parts;
    }
}

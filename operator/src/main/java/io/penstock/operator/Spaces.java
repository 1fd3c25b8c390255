package io.penstock.operator;

import io.penstock.array.ArraySpace;
import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.array.VectorSpace;
import io.penstock.distributed.DistributedSpace;

/** Checks on the spaces that an operator is to map between. */
final class Spaces {
    private Spaces() {}

    /** Flat local arrays of the type of distributed ones. */
    static ArraySpace flat(DistributedSpace space, long size) {
        return space.local().reshape(size);
    }

    /** Flat arrays of a type, on the device of local ones. */
    static ArraySpace flat(VectorSpace<NDArray> like, DType dtype, long size) {
        return ((ArraySpace) like).as(dtype).reshape(size);
    }

    static void requireSame(DistributedSpace domain, DistributedSpace range) {
        if (!domain.ranks().equals(range.ranks()))
            throw new IllegalArgumentException(
                    "domain is over " + domain.ranks().name() + " and range over "
                            + range.ranks().name() + "; expected one communicator");
    }

    static void requireCut(String name, DistributedSpace space) {
        if (space.layout().isReplicated())
            throw new IllegalArgumentException(
                    name + " is " + space + "; expected a space that is cut between the ranks");
    }

    static void requireReplicated(String name, DistributedSpace space) {
        if (!space.layout().isReplicated())
            throw new IllegalArgumentException(
                    name + " is " + space + "; expected a space that every rank holds whole");
    }
}

package io.penstock.operator;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.comm.Communicator;
import io.penstock.distributed.DistributedSpace;
import io.penstock.distributed.Layout;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the ranks of a group know of each other's operators: sizes and element types. */
record RankSizes(Communicator ranks, long[] domainSizes, long[] rangeSizes, DType domainType, DType rangeType) {
    private static final int FIELDS = 5;
    private static final long CONFLICT = 1;

    /** What this rank's operators are, or why they do not go together. */
    private record Own(
            long domain,
            long range,
            int domainType,
            int rangeType,
            @Nullable IllegalArgumentException failure) {}

    /** Tells the ranks about each other's operators, in one all-gather; throws on every rank when they do not go together. */
    static RankSizes gather(
            Communicator ranks, List<? extends LinearOperator<NDArray, NDArray>> mine, boolean commonDomain) {
        Own own = own(mine, commonDomain);
        List<NDArray> into = new ArrayList<>(ranks.size());
        for (int r = 0; r < ranks.size(); r++) into.add(NDArray.empty(DType.I64, FIELDS));
        NDArray part = NDArray.empty(DType.I64, FIELDS);
        long[] fields = {own.domain, own.range, own.domainType, own.rangeType, own.failure == null ? 0 : CONFLICT};
        for (int k = 0; k < FIELDS; k++) part.set(fields[k], k);
        ranks.allGather(part, into);
        if (own.failure != null) throw own.failure;
        long[] domain = new long[ranks.size()];
        long[] range = new long[ranks.size()];
        DType domainType = null;
        DType rangeType = null;
        for (int r = 0; r < ranks.size(); r++) {
            NDArray theirs = into.get(r);
            if (theirs.get(4) == CONFLICT)
                throw new IllegalArgumentException("the operators of rank " + r + " do not go together");
            domain[r] = (long) theirs.get(0);
            range[r] = (long) theirs.get(1);
            domainType = wider(domainType, (int) theirs.get(2), r);
            rangeType = wider(rangeType, (int) theirs.get(3), r);
        }
        for (NDArray theirs : into) theirs.close();
        part.close();
        if (domainType == null || rangeType == null)
            throw new IllegalArgumentException("no rank of " + ranks.name() + " has an operator; expected one or more");
        return new RankSizes(ranks, domain, range, domainType, rangeType);
    }

    private static Own own(List<? extends LinearOperator<NDArray, NDArray>> mine, boolean commonDomain) {
        if (mine.isEmpty()) return new Own(0, 0, -1, -1, null);
        try {
            Members members = Members.of(mine);
            long domain = commonDomain ? members.requireCommonDomain() : members.domainSize();
            return new Own(
                    domain,
                    members.rangeSize(),
                    members.domainType().ordinal(),
                    members.rangeType().ordinal(),
                    null);
        } catch (IllegalArgumentException failure) {
            return new Own(0, 0, -1, -1, failure);
        }
    }

    private static @Nullable DType wider(@Nullable DType so, int ordinal, int rank) {
        if (ordinal < 0) return so;
        DType theirs = DType.values()[ordinal];
        if (so == null || so == theirs) return theirs;
        if (so.real() != theirs.real())
            throw new IllegalArgumentException("the operators of rank " + rank + " work on " + theirs
                    + "; expected the precision of " + so + ", which an earlier rank's have");
        return so.isComplex() ? so : theirs;
    }

    /** Flat arrays of the domains' sizes, cut between the ranks. */
    DistributedSpace cutDomain() {
        return cut(domainSizes, domainType);
    }

    /** Flat arrays of the ranges' sizes, cut between the ranks. */
    DistributedSpace cutRange() {
        return cut(rangeSizes, rangeType);
    }

    private DistributedSpace cut(long[] sizes, DType type) {
        long total = 0;
        for (long size : sizes) total = Math.addExact(total, size);
        return new DistributedSpace(ranks, Layout.blocks(0, sizes, total), type);
    }

    /** Flat arrays of the size that every domain has, replicated; throws on every rank when they differ. */
    DistributedSpace replicatedDomain() {
        long size = -1;
        for (int r = 0; r < domainSizes.length; r++) {
            if (rangeSizes[r] == 0 && domainSizes[r] == 0) continue;
            if (size >= 0 && domainSizes[r] != size)
                throw new IllegalArgumentException("the operators of rank " + r + " are applied to " + domainSizes[r]
                        + " elements; expected " + size + ", as on an earlier rank");
            size = domainSizes[r];
        }
        return new DistributedSpace(ranks, Layout.replicated(ranks.size(), Math.max(size, 0)), domainType);
    }
}

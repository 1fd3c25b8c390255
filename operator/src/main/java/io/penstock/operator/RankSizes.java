package io.penstock.operator;

import io.penstock.array.ArraySpace;
import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.comm.Communicator;
import io.penstock.distributed.DistributedSpace;
import io.penstock.distributed.Layout;
import io.penstock.runtime.Device;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the ranks of a group know of each other's operators: sizes and element types; and on which device this rank's are. */
record RankSizes(
        Communicator ranks,
        List<Long> domainSizes,
        List<Long> rangeSizes,
        DType domainType,
        DType rangeType,
        Device device) {
    private static final int FIELDS = 5;
    private static final List<DType> TYPES = List.of(DType.values());

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
        for (int r = 0; r < ranks.size(); r++) into.add(NDArray.empty(Device.jvm(), DType.F64, FIELDS));
        NDArray part = NDArray.empty(Device.jvm(), DType.F64, FIELDS);
        // Doubles hold whole numbers up to 2^53.
        double[] fields = {own.domain, own.range, own.domainType, own.rangeType, own.failure == null ? 0 : 1};
        for (int k = 0; k < FIELDS; k++) part.set(fields[k], k);
        ranks.allGather(part, into);
        if (own.failure != null) throw own.failure;
        List<Long> domain = new ArrayList<>(ranks.size());
        List<Long> range = new ArrayList<>(ranks.size());
        DType domainType = null;
        DType rangeType = null;
        for (int r = 0; r < ranks.size(); r++) {
            NDArray theirs = into.get(r);
            if (theirs.get(4) == 1)
                throw new IllegalArgumentException("the operators of rank " + r + " do not go together");
            domain.add((long) theirs.get(0));
            range.add((long) theirs.get(1));
            domainType = wider(domainType, (int) theirs.get(2), r);
            rangeType = wider(rangeType, (int) theirs.get(3), r);
        }
        for (NDArray theirs : into) theirs.close();
        part.close();
        if (domainType == null || rangeType == null)
            throw new IllegalArgumentException("no rank of " + ranks.name() + " has an operator; expected one or more");
        Device device = mine.isEmpty()
                ? Device.current()
                : ((ArraySpace) mine.getFirst().domain()).device();
        return new RankSizes(ranks, domain, range, domainType, rangeType, device);
    }

    private static Own own(List<? extends LinearOperator<NDArray, NDArray>> mine, boolean commonDomain) {
        if (mine.isEmpty()) return new Own(0, 0, -1, -1, null);
        try {
            Members members = Members.of(mine);
            long domain = commonDomain ? members.requireCommonDomain() : members.domainSize();
            return new Own(
                    domain,
                    members.rangeSize(),
                    TYPES.indexOf(members.domainType()),
                    TYPES.indexOf(members.rangeType()),
                    null);
        } catch (IllegalArgumentException failure) {
            return new Own(0, 0, -1, -1, failure);
        }
    }

    private static @Nullable DType wider(@Nullable DType so, int type, int rank) {
        if (type < 0) return so;
        DType theirs = TYPES.get(type);
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

    private DistributedSpace cut(List<Long> sizes, DType type) {
        long[] blocks = sizes.stream().mapToLong(Long::longValue).toArray();
        long total = sizes.stream().reduce(0L, Math::addExact);
        return new DistributedSpace(ranks, Layout.blocks(0, blocks, total), type, device);
    }

    /** Flat arrays of the size that every domain has, replicated; throws on every rank when they differ. */
    DistributedSpace replicatedDomain() {
        long size = -1;
        for (int r = 0; r < domainSizes.size(); r++) {
            long theirs = domainSizes.get(r);
            if (theirs == 0 && rangeSizes.get(r) == 0) continue;
            if (size >= 0 && theirs != size)
                throw new IllegalArgumentException("the operators of rank " + r + " are applied to " + theirs
                        + " elements; expected " + size + ", as on an earlier rank");
            size = theirs;
        }
        Layout layout = Layout.replicated(ranks.size(), Math.max(size, 0));
        return new DistributedSpace(ranks, layout, domainType, device);
    }
}

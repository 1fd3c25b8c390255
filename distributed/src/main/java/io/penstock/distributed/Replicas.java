package io.penstock.distributed;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.penstock.array.NDArray;
import io.penstock.comm.Communicator;
import io.penstock.comm.ReduceOp;
import io.penstock.runtime.HostMemory;
import io.penstock.runtime.Scope;
import java.lang.ref.Reference;

/** The comparison of a replicated array's copies, bit by bit. */
final class Replicas {
    private Replicas() {}

    /**
     * Compares 64-bit fingerprints, which costs one reduction of 32 bytes; only when they differ does rank 0 broadcast its copy
     * to find out where.
     */
    static void check(Communicator ranks, NDArray copy) {
        if (ranks.size() == 1) return;
        try (Scope _ = Scope.open()) {
            NDArray dense = copy.toHost().contiguous();
            long mark = fingerprint(dense);
            double high = (int) (mark >> 32);
            double low = (int) mark;
            double[] range = {high, -high, low, -low};
            ranks.allReduce(range, 4, ReduceOp.MIN);
            if (range[0] != -range[1] || range[2] != -range[3]) fail(ranks, dense);
        }
    }

    private static void fail(Communicator ranks, NDArray copy) {
        NDArray first = copy.copy();
        ranks.broadcast(first, 0);
        long width = copy.dtype().bytes();
        long mismatch = mismatch(first, copy, copy.size() * width);
        double[] rank = {mismatch < 0 ? Double.POSITIVE_INFINITY : ranks.rank()};
        ranks.allReduce(rank, 1, ReduceOp.MIN);
        long at = mismatch / width;
        double[] element = {rank[0] == ranks.rank() ? at : Double.POSITIVE_INFINITY};
        ranks.allReduce(element, 1, ReduceOp.MIN);
        throw new IllegalStateException("the copies of a replicated array of shape " + Layout.describe(copy.shape())
                + " differ: rank " + (int) rank[0] + " has another element at index "
                + Layout.describe(index((long) element[0], copy.shape()))
                + " than rank 0; write the same to every copy, or make them equal with broadcast(root)");
    }

    private static long[] index(long flat, long[] shape) {
        long[] index = new long[shape.length];
        for (int k = shape.length - 1; k >= 0; k--) {
            index[k] = flat % shape[k];
            flat /= shape[k];
        }
        return index;
    }

    private static long mismatch(NDArray a, NDArray b, long bytes) {
        try {
            return HostMemory.ALL
                    .asSlice(a.addressToRead(), bytes)
                    .mismatch(HostMemory.ALL.asSlice(b.addressToRead(), bytes));
        } finally {
            Reference.reachabilityFence(a);
            Reference.reachabilityFence(b);
        }
    }

    /** FNV-1a (Fowler, Noll and Vo, 1991) over 8 bytes at a time, with the last steps of MurmurHash3 (Appleby, 2008). */
    private static long fingerprint(NDArray dense) {
        long address = dense.addressToRead();
        long bytes = dense.size() * dense.dtype().bytes();
        long hash = 0xcbf29ce484222325L;
        try {
            long i = 0;
            for (; i + 8 <= bytes; i += 8) {
                hash = (hash ^ HostMemory.ALL.get(JAVA_LONG_UNALIGNED, address + i)) * 0x100000001b3L;
                hash ^= hash >>> 32;
            }
            for (; i < bytes; i++) hash = (hash ^ HostMemory.ALL.get(JAVA_BYTE, address + i)) * 0x100000001b3L;
        } finally {
            Reference.reachabilityFence(dense);
        }
        hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
        return hash ^ (hash >>> 33);
    }
}

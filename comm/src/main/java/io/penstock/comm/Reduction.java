package io.penstock.comm;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import java.util.Objects;

/**
 * The elementwise reduction of one array from each rank, block by block in a scratch buffer that stays in cache: each element
 * is combined in rank order, so that the bits do not depend on who does it. Reads each source once and writes each destination once.
 */
final class Reduction {
    private static final long BLOCK = 16 << 10;
    /** Pieces a rank, so that one that comes late holds up little. */
    private static final int PIECES = 2;

    private final NDArray[] sources;
    private final ReduceOp op;
    private final DType dtype;

    Reduction(NDArray[] sources, ReduceOp op) {
        this.sources = sources;
        this.op = op;
        this.dtype = sources[0].dtype();
    }

    static int pieces(NDArray data, int ranks) {
        long blocks = (data.size() * data.dtype().bytes() + BLOCK - 1) / BLOCK;
        return (int) Math.min(blocks, (long) ranks * PIECES);
    }

    /** Reduces one of {@link #pieces} parts of the elements into all {@code destinations}. */
    void run(NDArray[] destinations, int piece, RankState me) {
        long perBlock = BLOCK / dtype.bytes();
        long size = sources[0].size();
        long blocks = (size + perBlock - 1) / perBlock;
        int pieces = pieces(sources[0], sources.length);
        long from = blocks * piece / pieces * perBlock;
        long to = Math.min(size, blocks * (piece + 1) / pieces * perBlock);
        reduce(destinations, from, to, me);
    }

    void runAll(NDArray[] destinations, RankState me) {
        reduce(destinations, 0, sources[0].size(), me);
    }

    private void reduce(NDArray[] destinations, long start, long end, RankState me) {
        long sum = me.scratch(2 * BLOCK);
        long packed = sum + BLOCK;
        long perBlock = BLOCK / dtype.bytes();
        for (long from = start; from < end; from += perBlock) {
            long to = Math.min(end, from + perBlock);
            ArrayCopy.pack(sources[0], from, to, sum);
            for (int r = 1; r < sources.length; r++) {
                long next = packed;
                if (sources[r].isContiguous()) next = sources[r].address() + from * dtype.bytes();
                else ArrayCopy.pack(sources[r], from, to, packed);
                Combine.into(dtype, op, sum, next, to - from);
            }
            for (NDArray destination : destinations) ArrayCopy.unpack(destination, from, to, sum);
        }
    }

    /** Reduces the values of the ranks in place. */
    static void values(Call[] calls) {
        ReduceOp op = Objects.requireNonNull(calls[0].op());
        int count = calls[0].count();
        for (int i = 0; i < count; i++) {
            double sum = calls[0].doubles()[i];
            for (int r = 1; r < calls.length; r++) sum = Combine.of(op, sum, calls[r].doubles()[i]);
            for (Call call : calls) call.doubles()[i] = sum;
        }
    }
}

package io.penstock.comm;

import io.penstock.array.NDArray;
import java.util.Objects;

/**
 * What is to be done once all ranks have called a collective, cut into pieces that may be done at the same time, in any order,
 * by any rank.
 */
final class CollectiveWork {
    /** Below this many bytes waking others takes longer than the work. */
    private static final long SMALL = 32 << 10;

    private CollectiveWork() {}

    static boolean isSmall(Call[] calls) {
        long bytes = 0;
        for (Call call : calls) {
            for (NDArray array : call.in())
                bytes += array.size() * array.dtype().bytes();
            for (NDArray array : call.out())
                bytes += array.size() * array.dtype().bytes();
        }
        return bytes <= SMALL;
    }

    static int pieces(Call[] calls) {
        Call first = calls[0];
        return switch (first.kind()) {
            case BARRIER, SPLIT -> 0;
            case ALL_REDUCE_VALUES -> 1;
            case ALL_REDUCE, REDUCE -> calls.length == 1 ? 0 : Reduction.pieces(first.out()[0], calls.length);
            case BROADCAST, REDUCE_SCATTER, ALL_GATHER, GATHER, SCATTER, ALL_TO_ALL -> calls.length;
        };
    }

    static void run(Call[] calls, int piece, RankState me) {
        Call first = calls[0];
        Call mine = calls[piece % calls.length];
        int root = first.root();
        switch (first.kind()) {
            case BARRIER, SPLIT -> {}
            case ALL_REDUCE_VALUES -> Reduction.values(calls);
            case ALL_REDUCE -> reduction(calls, 0).run(inputs(calls), piece, me);
            case REDUCE -> reduction(calls, 0).run(new NDArray[] {calls[root].in()[0]}, piece, me);
            case REDUCE_SCATTER -> reduction(calls, piece).runAll(mine.in(), me);
            case BROADCAST -> {
                if (piece != root) ArrayCopy.copy(mine.in()[0], calls[root].out()[0], me);
            }
            case GATHER -> ArrayCopy.copy(calls[root].in()[piece], mine.out()[0], me);
            case SCATTER -> ArrayCopy.copy(mine.in()[0], calls[root].out()[piece], me);
            case ALL_GATHER -> {
                for (int from = 0; from < calls.length; from++)
                    ArrayCopy.copy(mine.in()[from], calls[from].out()[0], me);
            }
            case ALL_TO_ALL -> {
                for (int from = 0; from < calls.length; from++)
                    ArrayCopy.copy(mine.in()[from], calls[from].out()[piece], me);
            }
        }
    }

    private static Reduction reduction(Call[] calls, int part) {
        NDArray[] sources = new NDArray[calls.length];
        for (int r = 0; r < calls.length; r++) sources[r] = calls[r].out()[part];
        return new Reduction(sources, Objects.requireNonNull(calls[0].op()));
    }

    private static NDArray[] inputs(Call[] calls) {
        NDArray[] result = new NDArray[calls.length];
        for (int r = 0; r < calls.length; r++) result[r] = calls[r].in()[0];
        return result;
    }
}

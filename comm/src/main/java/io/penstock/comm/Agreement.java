package io.penstock.comm;

import io.penstock.array.NDArray;
import org.jspecify.annotations.Nullable;

/** Whether the calls that the ranks made belong together. */
final class Agreement {
    private Agreement() {}

    /** What the calls differ in, as a word for a message; null when they agree. */
    static @Nullable String difference(Call[] calls) {
        Call first = calls[0];
        for (Call call : calls) {
            if (call.kind() != first.kind()) return "the kind";
            if (call.root() != first.root()) return "the root";
            if (call.op() != first.op()) return "the operation";
            if (call.dtype() != first.dtype()) return "the element type";
        }
        for (int i = 0; i < calls.length; i++)
            for (int j = 0; j < calls.length; j++) if (!countsAgree(calls, i, j)) return "the number of elements";
        return null;
    }

    /** Whether what rank {@code to} wants from rank {@code from} is what that one gives. */
    private static boolean countsAgree(Call[] calls, int to, int from) {
        Call taker = calls[to];
        Call giver = calls[from];
        return switch (taker.kind()) {
            case BARRIER, SPLIT -> true;
            case ALL_REDUCE_VALUES -> taker.count() == giver.count();
            case BROADCAST, ALL_REDUCE, REDUCE -> same(taker.in()[0], giver.out()[0]);
            case REDUCE_SCATTER -> same(taker.in()[0], giver.out()[to]);
            case ALL_GATHER -> same(taker.in()[from], giver.out()[0]);
            case GATHER -> to != taker.root() || same(taker.in()[from], giver.out()[0]);
            case SCATTER -> from != giver.root() || same(taker.in()[0], giver.out()[to]);
            case ALL_TO_ALL -> same(taker.in()[from], giver.out()[to]);
        };
    }

    private static boolean same(NDArray taken, NDArray given) {
        return taken.size() == given.size();
    }
}

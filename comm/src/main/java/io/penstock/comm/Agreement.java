package io.penstock.comm;

import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Whether the calls that the ranks made belong together. */
final class Agreement {
    private Agreement() {}

    /** What the calls differ in, as a word for a message; null when they agree. */
    static @Nullable String difference(Demand[] calls) {
        Demand first = calls[0];
        for (Demand call : calls) {
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
    private static boolean countsAgree(Demand[] calls, int to, int from) {
        Demand taker = calls[to];
        Demand giver = calls[from];
        return switch (taker.kind()) {
            case BARRIER, SPLIT -> true;
            case ALL_REDUCE_VALUES -> taker.count() == giver.count();
            case BROADCAST, ALL_REDUCE, REDUCE -> taker.takes(0) == giver.gives(0);
            case REDUCE_SCATTER -> taker.takes(0) == giver.gives(to);
            case ALL_GATHER -> taker.takes(from) == giver.gives(0);
            case GATHER -> to != taker.root() || taker.takes(from) == giver.gives(0);
            case SCATTER -> from != giver.root() || taker.takes(0) == giver.gives(to);
            case ALL_TO_ALL -> taker.takes(from) == giver.gives(to);
        };
    }

    /** Whether what a rank hands to itself is what it wants from itself. */
    static boolean isConsistent(Demand call, int rank) {
        return switch (call.kind()) {
            case REDUCE_SCATTER -> call.takes(0) == call.gives(rank);
            case ALL_GATHER -> call.takes(rank) == call.gives(0);
            case GATHER -> rank != call.root() || call.takes(rank) == call.gives(0);
            case SCATTER -> rank != call.root() || call.takes(0) == call.gives(rank);
            case ALL_TO_ALL -> call.takes(rank) == call.gives(rank);
            default -> true;
        };
    }

    /** The message for ranks that disagree. */
    static String message(String difference, long sequence, String group, Demand[] calls, IntFunction<String> label) {
        StringBuilder text = new StringBuilder("ranks disagree about ")
                .append(difference)
                .append(" of collective ")
                .append(sequence)
                .append(" of the ")
                .append(group)
                .append(':');
        for (int r = 0; r < calls.length; r++)
            text.append("\n  ").append(label.apply(r)).append(": ").append(calls[r].describe());
        return text.toString();
    }
}

package io.penstock.comm;

import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** The table of where each rank stands. */
final class RankBoard {
    private static final String OWN = "io.penstock.";

    private RankBoard() {}

    static String describe(RankState[] ranks) {
        StringJoiner lines = new StringJoiner("\n");
        for (RankState rank : ranks) lines.add("  rank " + rank.rank() + ": " + line(rank));
        return lines.toString();
    }

    static String line(RankState rank) {
        Operation last = rank.last();
        String call = last == null ? "before its first call" : "call " + rank.calls() + " " + last.describe();
        Wait wait = rank.wait;
        if (rank.ended) return "ended; " + call;
        return (wait == null ? "running; " : "waits for " + wait.awaited() + "; ") + call + place(rank.thread);
    }

    /** The innermost stack frame of the user's program: outside the JDK and this library. */
    private static String place(@Nullable Thread thread) {
        if (thread == null) return "";
        for (StackTraceElement frame : thread.getStackTrace()) {
            String name = frame.getClassName();
            if (!name.startsWith(OWN) && !name.startsWith("java.") && !name.startsWith("jdk.")) return "; at " + frame;
        }
        return "";
    }
}

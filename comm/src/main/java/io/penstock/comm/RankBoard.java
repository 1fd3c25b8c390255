package io.penstock.comm;

import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** The table of where each rank stands. */
final class RankBoard {
    private static final String OWN = "io.penstock.";
    private static final String COMMUNICATORS = OWN + "comm.";

    private RankBoard() {}

    static String describe(RankState[] ranks) {
        StringJoiner lines = new StringJoiner("\n");
        for (RankState rank : ranks) lines.add("  rank " + rank.rank() + ": " + line(rank));
        return lines.toString();
    }

    static String line(RankState rank) {
        Wait wait = rank.wait;
        if (rank.ended) return "ended; " + call(rank, false);
        return line(rank, wait == null ? null : wait.awaited());
    }

    /** Where a rank stands that waits for something, or runs. */
    static String line(RankState rank, @Nullable String awaited) {
        String device = rank.onDevice;
        if (awaited == null && device != null && !rank.isAtWork())
            return line(rank, "other ranks in " + device + " on its device");
        String doing = awaited != null ? "waits for " + awaited : rank.isAtWork() ? "at work" : "stands still";
        Thread thread = rank.thread;
        if (thread == null) return doing + "; " + call(rank, awaited != null);
        StackTraceElement[] frames = thread.getStackTrace();
        return doing + "; " + call(rank, awaited != null || isWithinCall(frames)) + place(frames);
    }

    /** The call that a rank is in. */
    static String call(RankState rank) {
        return call(rank, true);
    }

    /**
     * The call that a rank is in, or was in last.
     *
     * @param within whether it is in one
     */
    static String call(RankState rank, boolean within) {
        Operation last = rank.last();
        if (last == null) return "before its first call";
        return (within ? "call " : "after call ") + rank.calls() + " " + last.describe();
    }

    /** Whether a rank with these frames on its stack is in a call of a communicator, or waits for one that it has begun. */
    static boolean isWithinCall(StackTraceElement[] frames) {
        for (StackTraceElement frame : frames) {
            String name = frame.getClassName();
            if (name.startsWith(COMMUNICATORS) && (name.endsWith("Communicator") || name.endsWith("Request")))
                return true;
        }
        return false;
    }

    /** The innermost stack frame of the user's program: outside the JDK and this library. */
    private static String place(StackTraceElement[] frames) {
        for (StackTraceElement frame : frames) {
            String name = frame.getClassName();
            if (!name.startsWith(OWN) && !isOfJdk(frame)) return "; at " + frame;
        }
        return "";
    }

    /** Whether a thread that does not run waits for work of its own: the innermost frame outside the JDK is the runtime's. */
    static boolean isInRuntime(Thread thread) {
        for (StackTraceElement frame : thread.getStackTrace())
            if (!isOfJdk(frame) && !frame.getClassName().startsWith(OWN + "foreign."))
                return frame.getClassName().startsWith(OWN + "runtime.");
        return false;
    }

    private static boolean isOfJdk(StackTraceElement frame) {
        return frame.getClassName().startsWith("java.") || frame.getClassName().startsWith("jdk.");
    }

    /** Prints the stack of a rank's thread, and those of the threads of its queues. */
    static void dump(String title, @Nullable Thread thread) {
        StringBuilder text = new StringBuilder("stacks of " + title + ":");
        Thread.getAllStackTraces().forEach((other, frames) -> {
            if (!other.equals(thread) && !other.getName().startsWith("penstock-queue")) return;
            text.append("\n  ").append(other.getName()).append(", ").append(other.getState());
            for (StackTraceElement frame : frames) text.append("\n      at ").append(frame);
        });
        LastWords.say(text.toString());
    }
}

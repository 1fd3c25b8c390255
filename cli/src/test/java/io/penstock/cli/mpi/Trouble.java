package io.penstock.cli.mpi;

import java.io.IOException;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * What goes wrong in a run: on which rank, how, and when.
 *
 * @param rank the rank that it strikes
 * @param kind what happens
 * @param after how many microseconds after the rank has started
 */
record Trouble(int rank, Kind kind, long after) {
    enum Kind {
        /** The program throws. */
        THROW,
        /** The rank's thread stands still for ever. */
        STALL,
        /** The process is killed. */
        KILL,
        /** The process is stopped: it lives and does nothing. */
        STOP
    }

    static final String WORDS = "what must go wrong";

    static Trouble random(SplittableRandom random, int ranks, Kind[] kinds, long latest) {
        return new Trouble(random.nextInt(ranks), kinds[random.nextInt(kinds.length)], random.nextLong(latest));
    }

    static Trouble parse(String text) {
        String[] words = text.split(",");
        return new Trouble(Integer.parseInt(words[0]), Kind.valueOf(words[1]), Long.parseLong(words[2]));
    }

    String text() {
        return rank + "," + kind + "," + after;
    }

    /** Strikes the calling process at its time, from outside the rank's thread, where that is its kind. */
    void begin(int me) {
        if (me != rank || (kind != Kind.KILL && kind != Kind.STOP)) return;
        Thread.ofPlatform().daemon().start(() -> {
            LockSupport.parkNanos(this, after * 1000);
            signal(kind == Kind.KILL ? "KILL" : "STOP");
        });
    }

    private static void signal(String name) {
        try {
            new ProcessBuilder(
                            "kill",
                            "-" + name,
                            String.valueOf(ProcessHandle.current().pid()))
                    .start()
                    .waitFor();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Called by the rank's thread now and then: strikes when it is time. */
    void look(int me, long started) {
        if (me != rank || System.nanoTime() - started < after * 1000) return;
        if (kind == Kind.THROW) throw new IllegalStateException(WORDS);
        if (kind == Kind.STALL)
            while (true) {
                LockSupport.parkNanos(this, 1_000_000_000L);
                if (Thread.interrupted()) throw new IllegalStateException("interrupted while it stood still");
            }
    }
}

package io.penstock.comm;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * How ranks wait that are more than the cores they share. Libraries of MPI wait by asking without pause, which keeps the core from
 * the very rank that is waited for, so there a rank asks now and then instead, and leaves its core to others in between.
 */
final class CoreSharing {
    /** {@code spin} leaves waiting to MPI, {@code yield} never does; by default it depends on how many ranks share the cores. */
    private static final String PROPERTY = "penstock.mpi.wait";

    private static final int YIELDS = 40;
    private static final long FIRST_PAUSE = 20_000;
    private static final long LONGEST_PAUSE = 200_000;

    private CoreSharing() {}

    /** Whether {@code ranks} processes on the cores of this one have to share them. */
    static boolean isNeeded(int ranks) {
        return switch (System.getProperty(PROPERTY, "")) {
            case "spin" -> false;
            case "yield" -> true;
            default -> ranks > Runtime.getRuntime().availableProcessors();
        };
    }

    /** Returns once a question is answered with yes. */
    @SuppressWarnings("ThreadPriorityCheck") // how soon a message is seen depends on it, nothing else does
    static void await(BooleanSupplier question) {
        long pause = FIRST_PAUSE;
        for (int asked = 0; !question.getAsBoolean(); asked++)
            if (asked < YIELDS) Thread.yield();
            else {
                LockSupport.parkNanos(CoreSharing.class, pause);
                pause = Math.min(pause + pause / 4, LONGEST_PAUSE);
            }
    }
}

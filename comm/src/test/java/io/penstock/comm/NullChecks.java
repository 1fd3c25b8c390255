package io.penstock.comm;

import io.penstock.array.DType;
import io.penstock.foreign.Mpi;
import io.penstock.foreign.MpiAbi;
import java.lang.foreign.Arena;
import org.jspecify.annotations.Nullable;

/**
 * A program that initialises MPI and then relies on the JVM's signals, as any Java program does. Given {@code bare} it loads
 * the library as it is, otherwise as this module does.
 */
final class NullChecks {
    private NullChecks() {}

    /** Says so when it is still alive in the end. */
    public static void main(String[] args) {
        System.out.println("PROCESS " + ProcessHandle.current().pid());
        if (args[1].equals("bare")) bare(Mpi.load(args[0]));
        else MpiLibrary.load(args[0]).initialise();
        int caught = 0;
        for (int i = 0; i < 200_000; i++) {
            try {
                if (sizeOf(i % 1000 == 0 ? null : DType.F32) != 4) return;
            } catch (NullPointerException e) {
                caught++;
            }
        }
        System.out.println("ALIVE after " + caught);
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }

    @SuppressWarnings("NullAway") // that is the point
    private static int sizeOf(@Nullable DType dtype) {
        return dtype.bytes();
    }

    private static void bare(Mpi mpi) {
        try (Arena arena = Arena.ofConfined()) {
            mpi.initThread(
                    0, 0, MpiAbi.of(mpi).threadMultiple(), arena.allocate(8).address());
        }
    }
}

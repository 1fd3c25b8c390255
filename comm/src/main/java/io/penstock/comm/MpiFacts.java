package io.penstock.comm;

/**
 * What is known of the MPI that this process' ranks use.
 *
 * @param library what the library says that it is, and the file it was loaded from
 * @param abi the family of binary interfaces that it belongs to
 * @param threads whether any thread may call it at any time, or one at a time
 * @param gpuAware whether device memory is handed to it where it lies; otherwise it is staged through pinned memory
 * @param gpuReason how that is known
 * @param board whether this rank can tell the others how it fares, beside MPI
 */
public record MpiFacts(String library, String abi, String threads, boolean gpuAware, String gpuReason, boolean board) {
    static MpiFacts of(MpiWorld world, JobSeat seat) {
        return new MpiFacts(
                world.library().version() + " (" + world.library().mpi().file() + ")",
                world.library().abi().name(),
                world.hasThreadsMultiple() ? "any thread at any time" : "one thread at a time",
                world.gpu().isAware(),
                world.gpu().reason(),
                seat.isConnected());
    }
}

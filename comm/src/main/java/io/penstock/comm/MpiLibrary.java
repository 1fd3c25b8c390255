package io.penstock.comm;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.penstock.foreign.Libc;
import io.penstock.foreign.Mpi;
import io.penstock.foreign.MpiAbi;
import io.penstock.runtime.JvmSignals;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/**
 * A loaded MPI library that leaves the JVM its signals.
 *
 * @param mpi its functions
 * @param abi what its constants are worth
 * @param version what it says that it is
 */
record MpiLibrary(Mpi mpi, MpiAbi abi, String version) {
    /** The environment variable that names the library; {@code none} keeps ranks to threads of one process. */
    static final String VARIABLE = "PENSTOCK_MPI";

    /**
     * Finds and loads the library: the one that the environment names, or the first that loads of those that go with the
     * launcher.
     *
     * @throws CommunicatorException when there is none, with what was tried
     */
    static MpiLibrary find(Map<String, String> environment, List<String> usual) {
        String named = environment.getOrDefault(VARIABLE, "");
        List<String> files = named.isEmpty() ? usual : List.of(named);
        StringJoiner reasons = new StringJoiner("; ");
        for (String file : files) {
            try {
                return load(file);
            } catch (IllegalArgumentException e) {
                reasons.add(e.getMessage());
            }
        }
        throw new CommunicatorException("no MPI library can be loaded; set " + VARIABLE
                + " to the path of the one that goes with the launcher (" + reasons + ")");
    }

    /**
     * Loads a library.
     *
     * @throws IllegalArgumentException when it cannot be loaded or is none
     */
    static MpiLibrary load(String file) {
        // UCX would take SIGSEGV and others, by which the JVM lives: no list of signals, no handlers.
        Libc.setenv("UCX_ERROR_SIGNALS", "", 0);
        JvmSignals signals = JvmSignals.record();
        Mpi mpi = Mpi.load(file);
        signals.restore(file);
        return new MpiLibrary(mpi, MpiAbi.of(mpi), MpiAbi.libraryVersion(mpi));
    }

    /** Whether this is Open MPI, by whichever ABI. */
    boolean isOpenMpi() {
        return version.contains("Open MPI");
    }

    /** Initialises MPI; returns the level of thread support that the library gives. */
    int initialise() {
        JvmSignals signals = JvmSignals.record();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment provided = arena.allocate(8);
            check(mpi.initThread(0, 0, abi.threadMultiple(), provided.address()), "MPI_Init_thread");
            signals.restore(version);
            check(mpi.commSetErrhandler(abi.commWorld(), abi.errorsReturn()), "MPI_Comm_set_errhandler");
            check(mpi.commSetErrhandler(abi.commSelf(), abi.errorsReturn()), "MPI_Comm_set_errhandler");
            return provided.get(JAVA_INT, 0);
        }
    }

    /** Throws, in MPI's own words, when a function returned an error. */
    void check(int code, String operation) {
        if (code != 0) throw new CommunicatorException(operation + " failed: " + errorText(code));
    }

    /** What an error code means. */
    String errorText(int code) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocate(MpiAbi.MAX_ERROR_STRING);
            MemorySegment length = arena.allocate(8);
            if (mpi.errorString(code, text.address(), length.address()) != 0) return "MPI error " + code;
            return text.getString(0).strip();
        }
    }

    @Override
    public String toString() {
        return version + " (" + mpi.file() + ", ABI of " + abi.name() + ")";
    }
}

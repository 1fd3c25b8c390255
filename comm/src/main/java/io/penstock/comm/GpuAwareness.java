package io.penstock.comm;

import io.penstock.array.NDArray;
import io.penstock.foreign.Mpi;
import io.penstock.runtime.cuda.CudaDevice;
import io.penstock.runtime.cuda.Exports;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Locale;
import java.util.Map;

/**
 * Whether an MPI library takes the addresses of device memory, which it is asked and never tried: what does not know them ends the
 * process. The environment variable {@code PENSTOCK_MPI_GPU} overrides it, {@code aware} or {@code staged}.
 *
 * @param isAware whether device memory is handed to MPI where it lies
 * @param reason how that is known, for people
 */
record GpuAwareness(boolean isAware, String reason) {
    private static final String VARIABLE = "PENSTOCK_MPI_GPU";
    private static final int CUDA = 0;

    /** Asks a library, which has been initialised. */
    static GpuAwareness of(Mpi mpi, Map<String, String> environment) {
        String forced = environment.getOrDefault(VARIABLE, "").toLowerCase(Locale.ROOT);
        switch (forced) {
            case "aware", "staged" -> {
                return new GpuAwareness(forced.equals("aware"), VARIABLE + " is " + forced);
            }
            case "" -> {}
            default -> throw new IllegalArgumentException(VARIABLE + " is '" + forced + "'; expected aware or staged");
        }
        if (mpi.has("MPIX_GPU_query_support"))
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment flag = arena.allocate(8);
                boolean says = mpi.gpuQuerySupport(CUDA, flag.address()) == 0 && flag.get(ValueLayout.JAVA_INT, 0) != 0;
                return new GpuAwareness(says, "MPIX_GPU_query_support says " + (says ? "yes" : "no"));
            }
        if (mpi.has("MPIX_Query_cuda_support")) {
            boolean says = mpi.queryCudaSupport() != 0;
            return new GpuAwareness(says, "MPIX_Query_cuda_support says " + (says ? "yes" : "no"));
        }
        return new GpuAwareness(false, "the library has no call that tells; " + VARIABLE + "=aware overrides");
    }

    /**
     * Has device memory be such that processes can share it from now on, where MPI is given it: without that some MPIs copy through
     * the host, and others fail.
     */
    void prepare() {
        if (isAware) Exports.ask();
    }

    /**
     * Whether MPI may be given an array in device memory; makes its device the calling thread's, as MPI expects.
     *
     * @param library given memory that cannot be shared by a handle, Open MPI takes another way, and the family of MPICH fails
     */
    boolean takes(NDArray array, MpiLibrary library) {
        if (!isAware || !array.isContiguous() || !(array.device() instanceof CudaDevice device)) return false;
        device.makeCurrent();
        return library.isOpenMpi() || device.isExportable(array.buffer());
    }
}

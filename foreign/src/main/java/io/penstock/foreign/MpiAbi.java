package io.penstock.foreign;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * What the constants and handles of an MPI implementation are worth in binary: three families cover all that are in use.
 *
 * <p>Read in the headers of MPICH 4 and 5, Open MPI 4 and 5, and of the standard ABI of MPI 5.0 (its chapter 20, and the MPI Forum's
 * {@code mpi-abi-stubs} of July 2026). Headers from before October 2025 had {@code MPI_ERRORS_ABORT} and {@code MPI_ERRORS_RETURN} the other
 * way round; with a library built by one of those, errors end the job instead of becoming exceptions.
 */
public sealed interface MpiAbi {
    /** Its name, for people. */
    String name();

    /** Whether a handle is a C int; otherwise it is a pointer. */
    boolean intHandles();

    /** {@code MPI_COMM_WORLD}. */
    long commWorld();

    /** {@code MPI_COMM_SELF}. */
    long commSelf();

    /** {@code MPI_INFO_NULL}. */
    long infoNull();

    /** {@code MPI_REQUEST_NULL}. */
    long requestNull();

    /** {@code MPI_ERRORS_RETURN}. */
    long errorsReturn();

    /** The predefined element types. */
    Types types();

    /** The predefined operations. */
    Operations operations();

    /** {@code MPI_IN_PLACE}. */
    long inPlace();

    /** {@code MPI_STATUS_IGNORE}. */
    long statusIgnore();

    /** {@code MPI_COMM_TYPE_SHARED}. */
    int commTypeShared();

    /** {@code MPI_THREAD_SERIALIZED}. */
    int threadSerialized();

    /** {@code MPI_THREAD_MULTIPLE}. */
    int threadMultiple();

    /** The size of an {@code MPI_Status} in bytes. */
    int statusBytes();

    /**
     * Where in an {@code MPI_Status} the low 32 bits of the number of bytes received lie, on a machine that stores those first; -1 where
     * the headers do not say. {@code MPI_Get_count} is a call that the smallest messages notice.
     */
    int statusCountAt();

    /**
     * The handles of element types.
     *
     * @param uint8 {@code MPI_UINT8_T}
     * @param int32 {@code MPI_INT32_T}
     * @param int64 {@code MPI_INT64_T}
     * @param real32 {@code MPI_FLOAT}
     * @param real64 {@code MPI_DOUBLE}
     * @param complex64 {@code MPI_C_FLOAT_COMPLEX}
     * @param complex128 {@code MPI_C_DOUBLE_COMPLEX}
     */
    record Types(long uint8, long int32, long int64, long real32, long real64, long complex64, long complex128) {}

    /**
     * The handles of operations.
     *
     * @param sum {@code MPI_SUM}
     * @param prod {@code MPI_PROD}
     * @param min {@code MPI_MIN}
     * @param max {@code MPI_MAX}
     */
    record Operations(long sum, long prod, long min, long max) {}

    /** Bytes that hold any error text of any implementation. */
    int MAX_ERROR_STRING = 512;

    /** Bytes that hold any library's version text. */
    int MAX_LIBRARY_VERSION_STRING = 8192;

    /** The ABI that a library has, by what it exports and says of itself; needs no initialised MPI. */
    static MpiAbi of(Mpi mpi) {
        if (hasStandardAbi(mpi)) return new Standard();
        if (mpi.has("ompi_mpi_comm_world")) return new OpenMpi(mpi);
        String version = libraryVersion(mpi);
        if (version.contains("Open MPI"))
            throw new IllegalArgumentException(mpi.file() + " says that it is '" + version
                    + "', but exports no ompi_mpi_comm_world; expected the libmpi that Open MPI's programs use");
        return new Mpich();
    }

    /** Open MPI's own library exports the function too and answers -1. */
    private static boolean hasStandardAbi(Mpi mpi) {
        if (!mpi.has("MPI_Abi_get_version")) return false;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment answer = arena.allocate(16);
            return mpi.abiGetVersion(answer.address(), answer.address() + 8) == 0 && answer.get(JAVA_INT, 0) >= 1;
        }
    }

    /** The first line of what a library says that it is. */
    static String libraryVersion(Mpi mpi) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocate(MAX_LIBRARY_VERSION_STRING);
            MemorySegment length = arena.allocate(8);
            if (mpi.getLibraryVersion(text.address(), length.address()) != 0) return "an unknown MPI library";
            return text.getString(0).lines().findFirst().orElse("").strip().replaceAll("\\s+", " ");
        }
    }

    /** MPICH and the libraries that keep its ABI: Intel's, Cray's, MVAPICH. */
    record Mpich() implements MpiAbi {
        @Override
        public String name() {
            return "MPICH";
        }

        @Override
        public boolean intHandles() {
            return true;
        }

        @Override
        public long commWorld() {
            return 0x44000000;
        }

        @Override
        public long commSelf() {
            return 0x44000001;
        }

        @Override
        public long infoNull() {
            return 0x1c000000;
        }

        @Override
        public long requestNull() {
            return 0x2c000000;
        }

        @Override
        public long errorsReturn() {
            return 0x54000001;
        }

        @Override
        public Types types() {
            return new Types(0x4c00013b, 0x4c000439, 0x4c00083a, 0x4c00040a, 0x4c00080b, 0x4c000840, 0x4c001041);
        }

        @Override
        public Operations operations() {
            return new Operations(0x58000003, 0x58000004, 0x58000002, 0x58000001);
        }

        @Override
        public long inPlace() {
            return -1;
        }

        @Override
        public long statusIgnore() {
            return 1;
        }

        @Override
        public int commTypeShared() {
            return 1;
        }

        @Override
        public int threadSerialized() {
            return 2;
        }

        @Override
        public int threadMultiple() {
            return 3;
        }

        @Override
        public int statusBytes() {
            return 20;
        }

        @Override
        public int statusCountAt() {
            return 0;
        }
    }

    /**
     * Open MPI, whose handles are the addresses of symbols.
     *
     * @param mpi the library
     */
    record OpenMpi(Mpi mpi) implements MpiAbi {
        @Override
        public String name() {
            return "Open MPI";
        }

        @Override
        public boolean intHandles() {
            return false;
        }

        @Override
        public long commWorld() {
            return mpi.address("ompi_mpi_comm_world");
        }

        @Override
        public long commSelf() {
            return mpi.address("ompi_mpi_comm_self");
        }

        @Override
        public long infoNull() {
            return mpi.address("ompi_mpi_info_null");
        }

        @Override
        public long requestNull() {
            return mpi.address("ompi_request_null");
        }

        @Override
        public long errorsReturn() {
            return mpi.address("ompi_mpi_errors_return");
        }

        @Override
        public Types types() {
            return new Types(
                    mpi.address("ompi_mpi_uint8_t"),
                    mpi.address("ompi_mpi_int32_t"),
                    mpi.address("ompi_mpi_int64_t"),
                    mpi.address("ompi_mpi_float"),
                    mpi.address("ompi_mpi_double"),
                    mpi.address("ompi_mpi_c_float_complex"),
                    mpi.address("ompi_mpi_c_double_complex"));
        }

        @Override
        public Operations operations() {
            return new Operations(
                    mpi.address("ompi_mpi_op_sum"),
                    mpi.address("ompi_mpi_op_prod"),
                    mpi.address("ompi_mpi_op_min"),
                    mpi.address("ompi_mpi_op_max"));
        }

        @Override
        public long inPlace() {
            return 1;
        }

        @Override
        public long statusIgnore() {
            return 0;
        }

        @Override
        public int commTypeShared() {
            return 0;
        }

        @Override
        public int threadSerialized() {
            return 2;
        }

        @Override
        public int threadMultiple() {
            return 3;
        }

        @Override
        public int statusBytes() {
            return 24;
        }

        @Override
        public int statusCountAt() {
            return 16;
        }
    }

    /** The ABI that MPI 5.0 standardised. */
    record Standard() implements MpiAbi {
        @Override
        public String name() {
            return "MPI standard ABI";
        }

        @Override
        public boolean intHandles() {
            return false;
        }

        @Override
        public long commWorld() {
            return 0x101;
        }

        @Override
        public long commSelf() {
            return 0x102;
        }

        @Override
        public long infoNull() {
            return 0x130;
        }

        @Override
        public long requestNull() {
            return 0x180;
        }

        @Override
        public long errorsReturn() {
            return 0x143;
        }

        @Override
        public Types types() {
            return new Types(0x241, 0x250, 0x258, 0x210, 0x214, 0x212, 0x216);
        }

        @Override
        public Operations operations() {
            return new Operations(0x21, 0x24, 0x22, 0x23);
        }

        @Override
        public long inPlace() {
            return 1;
        }

        @Override
        public long statusIgnore() {
            return 0;
        }

        @Override
        public int commTypeShared() {
            return 221;
        }

        @Override
        public int threadSerialized() {
            return 2048;
        }

        @Override
        public int threadMultiple() {
            return 4096;
        }

        @Override
        public int statusBytes() {
            return 32;
        }

        @Override
        public int statusCountAt() {
            return -1;
        }
    }
}

package io.penstock.foreign;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.StructLayout;

/** The constants and structs of {@code cuda.h} that callers of {@link Cuda} need, by their C names. */
public final class CudaValues {
    /** {@code CUDA_SUCCESS} of cuda.h. */
    public static final int CUDA_SUCCESS = 0;
    /** {@code CUDA_ERROR_OUT_OF_MEMORY} of cuda.h. */
    public static final int CUDA_ERROR_OUT_OF_MEMORY = 2;
    /** {@code CUDA_ERROR_ECC_UNCORRECTABLE} of cuda.h. */
    public static final int CUDA_ERROR_ECC_UNCORRECTABLE = 214;
    /** {@code CUDA_ERROR_NVLINK_UNCORRECTABLE} of cuda.h. */
    public static final int CUDA_ERROR_NVLINK_UNCORRECTABLE = 220;
    /** {@code CUDA_ERROR_CONTAINED} of cuda.h. */
    public static final int CUDA_ERROR_CONTAINED = 226;
    /** {@code CUDA_ERROR_NOT_READY} of cuda.h. */
    public static final int CUDA_ERROR_NOT_READY = 600;
    /** {@code CUDA_ERROR_ILLEGAL_ADDRESS} of cuda.h. */
    public static final int CUDA_ERROR_ILLEGAL_ADDRESS = 700;
    /** {@code CUDA_ERROR_LAUNCH_TIMEOUT} of cuda.h. */
    public static final int CUDA_ERROR_LAUNCH_TIMEOUT = 702;
    /** {@code CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED} of cuda.h. */
    public static final int CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED = 704;
    /** {@code CUDA_ERROR_ASSERT} of cuda.h. */
    public static final int CUDA_ERROR_ASSERT = 710;
    /** {@code CUDA_ERROR_HARDWARE_STACK_ERROR} of cuda.h. */
    public static final int CUDA_ERROR_HARDWARE_STACK_ERROR = 714;
    /** {@code CUDA_ERROR_LAUNCH_FAILED} of cuda.h. */
    public static final int CUDA_ERROR_LAUNCH_FAILED = 719;
    /** {@code CUDA_ERROR_EXTERNAL_DEVICE} of cuda.h. */
    public static final int CUDA_ERROR_EXTERNAL_DEVICE = 911;
    /** {@code CUDA_ERROR_UNKNOWN} of cuda.h. */
    public static final int CUDA_ERROR_UNKNOWN = 999;

    /** {@code CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK} of cuda.h. */
    public static final int CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1;
    /** {@code CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X} of cuda.h. */
    public static final int CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X = 2;
    /** {@code CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X} of cuda.h. */
    public static final int CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X = 5;
    /** {@code CU_DEVICE_ATTRIBUTE_MAX_PITCH} of cuda.h. */
    public static final int CU_DEVICE_ATTRIBUTE_MAX_PITCH = 11;
    /** {@code CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT} of cuda.h. */
    public static final int CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16;
    /** {@code CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR} of cuda.h. */
    public static final int CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75;
    /** {@code CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR} of cuda.h. */
    public static final int CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76;
    /** {@code CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN} of cuda.h. */
    public static final int CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97;

    /** {@code CU_STREAM_NON_BLOCKING} of cuda.h. */
    public static final int CU_STREAM_NON_BLOCKING = 1;
    /** {@code CU_EVENT_DEFAULT} of cuda.h. */
    public static final int CU_EVENT_DEFAULT = 0;
    /** {@code CU_EVENT_DISABLE_TIMING} of cuda.h. */
    public static final int CU_EVENT_DISABLE_TIMING = 2;
    /** {@code CU_MEM_ATTACH_GLOBAL} of cuda.h. */
    public static final int CU_MEM_ATTACH_GLOBAL = 1;
    /** {@code CU_MEMHOSTALLOC_PORTABLE} of cuda.h. */
    public static final int CU_MEMHOSTALLOC_PORTABLE = 1;

    /** {@code CU_MEMORYTYPE_UNIFIED} of cuda.h. */
    public static final int CU_MEMORYTYPE_UNIFIED = 4;
    /** {@code CU_MEM_ALLOCATION_TYPE_PINNED} of cuda.h. */
    public static final int CU_MEM_ALLOCATION_TYPE_PINNED = 1;
    /** {@code CU_MEM_ACCESS_FLAGS_PROT_READWRITE} of cuda.h. */
    public static final int CU_MEM_ACCESS_FLAGS_PROT_READWRITE = 3;
    /** {@code CU_MEM_LOCATION_TYPE_DEVICE} of cuda.h. */
    public static final int CU_MEM_LOCATION_TYPE_DEVICE = 1;
    /** {@code CU_MEM_LOCATION_TYPE_HOST} of cuda.h. */
    public static final int CU_MEM_LOCATION_TYPE_HOST = 2;
    /** {@code CU_MEMPOOL_ATTR_RELEASE_THRESHOLD} of cuda.h. */
    public static final int CU_MEMPOOL_ATTR_RELEASE_THRESHOLD = 4;
    /** {@code CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT} of cuda.h. */
    public static final int CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT = 5;
    /** {@code CU_MEM_ADVISE_SET_READ_MOSTLY} of cuda.h. */
    public static final int CU_MEM_ADVISE_SET_READ_MOSTLY = 1;
    /** {@code CU_MEM_ADVISE_UNSET_READ_MOSTLY} of cuda.h. */
    public static final int CU_MEM_ADVISE_UNSET_READ_MOSTLY = 2;
    /** {@code CU_MEM_ADVISE_SET_PREFERRED_LOCATION} of cuda.h. */
    public static final int CU_MEM_ADVISE_SET_PREFERRED_LOCATION = 3;
    /** {@code CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION} of cuda.h. */
    public static final int CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION = 4;
    /** {@code CU_MEM_ADVISE_SET_ACCESSED_BY} of cuda.h. */
    public static final int CU_MEM_ADVISE_SET_ACCESSED_BY = 5;
    /** {@code CU_MEM_ADVISE_UNSET_ACCESSED_BY} of cuda.h. */
    public static final int CU_MEM_ADVISE_UNSET_ACCESSED_BY = 6;
    /** {@code CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE} of cuda.h. */
    public static final int CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE = 10;
    /** {@code CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE} of cuda.h. */
    public static final int CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE = 17;

    /** {@code CU_JIT_ERROR_LOG_BUFFER} of cuda.h. */
    public static final int CU_JIT_ERROR_LOG_BUFFER = 5;
    /** {@code CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES} of cuda.h. */
    public static final int CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6;
    /** {@code CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK} of cuda.h. */
    public static final int CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0;
    /** {@code CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES} of cuda.h. */
    public static final int CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8;
    /** {@code CU_STREAM_CAPTURE_MODE_RELAXED} of cuda.h. */
    public static final int CU_STREAM_CAPTURE_MODE_RELAXED = 2;

    /** {@code CUDA_MEMCPY3D}. */
    public static final StructLayout MEMCPY3D = memcpy3D(false);

    /** {@code CUDA_MEMCPY3D_PEER}. */
    public static final StructLayout MEMCPY3D_PEER = memcpy3D(true);

    /** {@code CUmemPoolProps}. */
    public static final StructLayout MEM_POOL_PROPS = MemoryLayout.structLayout(
            JAVA_INT.withName("allocType"),
            JAVA_INT.withName("handleTypes"),
            JAVA_LONG.withName("location"),
            JAVA_LONG.withName("win32SecurityAttributes"),
            JAVA_LONG.withName("maxSize"),
            JAVA_SHORT.withName("usage"),
            MemoryLayout.sequenceLayout(54, JAVA_BYTE).withName("reserved"));

    /** {@code CUmemAccessDesc}. */
    public static final StructLayout MEM_ACCESS_DESC = MemoryLayout.structLayout(
            JAVA_INT.withName("location.type"), JAVA_INT.withName("location.id"), JAVA_INT.withName("flags"));

    /** {@code CUgraphExecUpdateResultInfo}. */
    public static final StructLayout GRAPH_EXEC_UPDATE_RESULT_INFO = MemoryLayout.structLayout(
            JAVA_INT.withName("result"),
            MemoryLayout.paddingLayout(4),
            JAVA_LONG.withName("errorNode"),
            JAVA_LONG.withName("errorFromNode"));

    private CudaValues() {}

    private static StructLayout memcpy3D(boolean peer) {
        return MemoryLayout.structLayout(
                JAVA_LONG.withName("srcXInBytes"),
                JAVA_LONG.withName("srcY"),
                JAVA_LONG.withName("srcZ"),
                JAVA_LONG.withName("srcLOD"),
                JAVA_INT.withName("srcMemoryType"),
                MemoryLayout.paddingLayout(4),
                JAVA_LONG.withName("srcHost"),
                JAVA_LONG.withName("srcDevice"),
                JAVA_LONG.withName("srcArray"),
                JAVA_LONG.withName(peer ? "srcContext" : "reserved0"),
                JAVA_LONG.withName("srcPitch"),
                JAVA_LONG.withName("srcHeight"),
                JAVA_LONG.withName("dstXInBytes"),
                JAVA_LONG.withName("dstY"),
                JAVA_LONG.withName("dstZ"),
                JAVA_LONG.withName("dstLOD"),
                JAVA_INT.withName("dstMemoryType"),
                MemoryLayout.paddingLayout(4),
                JAVA_LONG.withName("dstHost"),
                JAVA_LONG.withName("dstDevice"),
                JAVA_LONG.withName("dstArray"),
                JAVA_LONG.withName(peer ? "dstContext" : "reserved1"),
                JAVA_LONG.withName("dstPitch"),
                JAVA_LONG.withName("dstHeight"),
                JAVA_LONG.withName("WidthInBytes"),
                JAVA_LONG.withName("Height"),
                JAVA_LONG.withName("Depth"));
    }

    /** Where a member of a struct lies, in bytes from its beginning. */
    public static long offset(StructLayout struct, String member) {
        return struct.byteOffset(PathElement.groupElement(member));
    }

    /** A {@code CUmemLocation} as it is passed by value: in one register, the type in its lower half. */
    public static long location(int type, int id) {
        return ((long) id << 32) | type;
    }
}

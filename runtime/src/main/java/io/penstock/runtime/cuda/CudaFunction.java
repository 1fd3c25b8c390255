package io.penstock.runtime.cuda;

import static io.penstock.foreign.CudaValues.CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X;
import static io.penstock.foreign.CudaValues.CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X;
import static io.penstock.foreign.CudaValues.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
import static io.penstock.foreign.CudaValues.CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK;

import io.penstock.runtime.DeviceArgument;
import io.penstock.runtime.DeviceFunction;
import io.penstock.runtime.DeviceLaunch;
import io.penstock.runtime.FailureReader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** An entry of a program on a CUDA device. */
final class CudaFunction implements DeviceFunction {
    /** What a group may share without being asked about. */
    private static final long COMMON_GROUP_BYTES = 48 << 10;

    /** Smaller groups than two warps leave a multiprocessor with too few of them. */
    private static final int LEAST_GROUP = 64;

    private static final String AXES = "xyz";

    private final CudaProgram program;
    private final String name;
    private final long handle;
    private final int mostGroupItems;
    /** The name as the profiler takes it. */
    private final MemorySegment printedName;

    CudaFunction(CudaProgram program, String name, long handle) {
        this.program = program;
        this.name = name;
        this.handle = handle;
        this.printedName = Arena.ofAuto().allocateFrom(name);
        CudaContext context = device().context();
        CallingThread thread = context.enter();
        device().check(
                        context.calls()
                                .funcGetAttribute(thread.answer(), CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, handle),
                        "cuFuncGetAttribute");
        this.mostGroupItems = thread.answeredInt(0);
    }

    CudaDevice device() {
        return program.device();
    }

    String name() {
        return name;
    }

    /** The address of the name, which lasts as long as this. */
    long printedName() {
        return printedName.address();
    }

    long handle() {
        return handle;
    }

    @Override
    public int mostGroupItems() {
        return mostGroupItems;
    }

    @Override
    public int goodGroupItems(int usual, long groupBytes) {
        int best = Math.min(usual, mostGroupItems);
        int most = running(best, groupBytes);
        for (int size = LEAST_GROUP; size <= mostGroupItems; size *= 2) {
            int now = size == best ? most : running(size, groupBytes);
            if (now * 4 < most * 5) continue;
            most = now;
            best = size;
        }
        return best;
    }

    /** How many items a multiprocessor runs at a time in groups of a size. */
    private int running(int groupItems, long groupBytes) {
        CudaContext context = device().context();
        CallingThread thread = context.enter();
        device().check(
                        context.calls()
                                .occupancyMaxActiveBlocksPerMultiprocessor(
                                        thread.answer(), handle, groupItems, groupBytes),
                        "cuOccupancyMaxActiveBlocksPerMultiprocessor");
        return groupItems * thread.answeredInt(0);
    }

    @Override
    public DeviceLaunch bind(
            long[] groups, int[] groupItems, long groupBytes, List<DeviceArgument> arguments, FailureReader failures) {
        CudaContext context = device().context();
        long items = 1;
        for (int k = 0; k < 3; k++) {
            require("groups", groups[k], context.attribute(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X + k), k);
            require("groupItems", groupItems[k], context.attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X + k), k);
            items *= groupItems[k];
        }
        if (items > mostGroupItems)
            throw new IllegalArgumentException("kernel " + name + ": a group has " + items + " items; expected at most "
                    + mostGroupItems + " on " + device().name());
        long mostBytes = device().code().mostGroupBytes();
        if (groupBytes < 0 || groupBytes > mostBytes)
            throw new IllegalArgumentException("kernel " + name + ": the items of a group share " + groupBytes
                    + " bytes; expected at most " + mostBytes + " on " + device().name());
        if (groupBytes > COMMON_GROUP_BYTES) {
            context.enter();
            device().check(
                            context.calls()
                                    .funcSetAttribute(
                                            handle, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, groupBytes),
                            "cuFuncSetAttribute");
        }
        return new CudaLaunch(this, groups.clone(), groupItems.clone(), groupBytes, arguments, failures);
    }

    private void require(String what, long size, long most, int axis) {
        if (size < 1 || size > most)
            throw new IllegalArgumentException("kernel " + name + ": " + what + " along " + AXES.charAt(axis) + " is "
                    + size + "; expected 1 to " + most + " on " + device().name());
    }
}

package io.penstock.runtime.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.penstock.foreign.Cuda;
import io.penstock.runtime.Buffer;
import io.penstock.runtime.DeviceArgument;
import io.penstock.runtime.DeviceLaunch;
import io.penstock.runtime.FailureReader;
import io.penstock.runtime.HostMemory;
import io.penstock.runtime.Queue;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.List;

/** A launch of a CUDA kernel with its arguments written down as the driver wants them. */
final class CudaLaunch implements DeviceLaunch {
    private static final long NOWHERE = 0;
    /** No argument needs more. */
    private static final long ALIGNMENT = 16;

    private final CudaFunction function;
    private final CudaContext context;
    private final Cuda calls;
    private final long handle;
    private final long groupsX;
    private final long groupsY;
    private final long groupsZ;
    private final long itemsX;
    private final long itemsY;
    private final long itemsZ;
    private final long groupBytes;
    private final FailureReader failures;
    private final MemorySegment memory;
    private final long parameters;
    /** Where the address of the queue's failure record goes, and the launch's number; {@link #NOWHERE} where it does not. */
    private final long recordSlot;

    private final long numberSlot;

    CudaLaunch(
            CudaFunction function,
            long[] groups,
            int[] groupItems,
            long groupBytes,
            List<DeviceArgument> arguments,
            FailureReader failures) {
        this.function = function;
        this.context = function.device().context();
        this.calls = context.calls();
        this.handle = function.handle();
        this.groupsX = groups[0];
        this.groupsY = groups[1];
        this.groupsZ = groups[2];
        this.itemsX = groupItems[0];
        this.itemsY = groupItems[1];
        this.itemsZ = groupItems[2];
        this.groupBytes = groupBytes;
        this.failures = failures;
        this.memory = Arena.ofAuto().allocate(8L * arguments.size() + values(arguments) + ALIGNMENT, ALIGNMENT);
        this.parameters = memory.address();
        long next = parameters + ((8L * arguments.size() + ALIGNMENT - 1) & -ALIGNMENT);
        long record = NOWHERE;
        long number = NOWHERE;
        int k = 0;
        int position = -1;
        for (DeviceArgument argument : arguments) {
            position++;
            if (argument instanceof DeviceArgument.Shared) continue;
            HostMemory.ALL.set(JAVA_LONG, parameters + 8L * k++, next);
            switch (argument) {
                case DeviceArgument.Memory(var buffer) ->
                    HostMemory.ALL.set(JAVA_LONG, next, reached(buffer, position));
                case DeviceArgument.Bytes(var bytes) ->
                    HostMemory.ALL.asSlice(next, bytes.byteSize()).copyFrom(bytes);
                case DeviceArgument.Failure() -> record = next;
                case DeviceArgument.LaunchNumber() -> number = next;
                case DeviceArgument.Shared() -> throw new IllegalStateException("CUDA passes no such argument");
            }
            next += size(argument);
        }
        this.recordSlot = record;
        this.numberSlot = number;
    }

    private long reached(Buffer buffer, int number) {
        if (!function.device().reaches(buffer))
            throw new IllegalArgumentException("argument " + number + " of kernel " + name() + " is " + buffer.kind()
                    + " memory of " + buffer.device().name() + "; expected memory that "
                    + function.device().name()
                    + " reaches: its own, PINNED or UNIFIED memory of its driver, or a peer's");
        return buffer.address() - buffer.offset();
    }

    private static long values(List<DeviceArgument> arguments) {
        long bytes = 0;
        for (DeviceArgument argument : arguments) bytes += size(argument);
        return bytes;
    }

    private static long size(DeviceArgument argument) {
        long bytes = argument instanceof DeviceArgument.Bytes(var value) ? value.byteSize() : 8;
        return (bytes + ALIGNMENT - 1) & -ALIGNMENT;
    }

    String name() {
        return function.name();
    }

    FailureReader failures() {
        return failures;
    }

    @Override
    public void issue(Queue queue) {
        if (!(queue instanceof CudaQueue target) || target.cudaDevice() != function.device())
            throw new IllegalArgumentException("kernel " + name() + " was compiled for "
                    + function.device().name() + " and launched on " + queue);
        if (Profiler.watches()) Profiler.begin(function.printedName());
        try {
            issue(target);
        } finally {
            if (Profiler.watches()) Profiler.end();
            Reference.reachabilityFence(this); // its memory must outlive the call
        }
    }

    private void issue(CudaQueue queue) {
        Launches launches = queue.launches();
        int number = launches.note(this, queue.numberNow());
        if (recordSlot != NOWHERE) HostMemory.ALL.set(JAVA_LONG, recordSlot, launches.record());
        if (numberSlot != NOWHERE) HostMemory.ALL.set(JAVA_INT, numberSlot, number);
        context.enter();
        int code = calls.launchKernel(
                handle, groupsX, groupsY, groupsZ, itemsX, itemsY, itemsZ, groupBytes, queue.stream(), parameters, 0);
        if (code != 0) throw refused(code);
    }

    private RuntimeException refused(int code) {
        return function.device()
                .failure(
                        code,
                        "cuLaunchKernel of " + name() + " on " + groupsX + " x " + groupsY + " x " + groupsZ
                                + " groups of " + itemsX + " x " + itemsY + " x " + itemsZ + " items");
    }
}

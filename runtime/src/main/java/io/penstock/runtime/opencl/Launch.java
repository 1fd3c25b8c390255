package io.penstock.runtime.opencl;

import io.penstock.runtime.DeviceArgument;
import io.penstock.runtime.DeviceLaunch;
import io.penstock.runtime.FailureReader;
import io.penstock.runtime.MemoryKind;
import io.penstock.runtime.Queue;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.List;

/** A launch of a kernel with its arguments. */
final class Launch implements DeviceLaunch {
    private static final int NONE = -1;

    private final Function function;
    private final KernelObject kernel;
    private final FailureReader failures;

    /** Which parameters are the queue's failure record and the launch's number. */
    private int record = NONE;

    private int number = NONE;

    Launch(
            Function function,
            KernelObject kernel,
            List<DeviceArgument> arguments,
            long groupBytes,
            FailureReader failures) {
        this.function = function;
        this.kernel = kernel;
        this.failures = failures;
        for (int k = 0; k < arguments.size(); k++) {
            switch (arguments.get(k)) {
                case DeviceArgument.Memory memory -> set(k, memory);
                case DeviceArgument.Bytes bytes -> set(k, bytes.bytes());
                case DeviceArgument.Shared _ -> kernel.argument(k, Math.max(1, groupBytes), 0L);
                case DeviceArgument.Failure _ -> record = k;
                case DeviceArgument.LaunchNumber _ -> number = k;
            }
        }
    }

    private void set(int k, DeviceArgument.Memory memory) {
        long base = memory.buffer().address() - memory.buffer().offset();
        boolean near = memory.buffer().device() instanceof OpenClDevice owner
                && owner.context() == function.program().context();
        if (near && memory.buffer().kind() == MemoryKind.DEVICE) kernel.argument(k, base);
        else if (near && memory.buffer().kind() == MemoryKind.UNIFIED) kernel.unified(k, base);
        else
            throw new IllegalArgumentException("argument " + k + " of " + function.name() + " is "
                    + memory.buffer().kind() + " memory of "
                    + memory.buffer().device().name() + "; expected DEVICE or"
                    + " UNIFIED memory of " + function.program().device() + " or another device of its driver");
    }

    private void set(int k, MemorySegment bytes) {
        if (bytes.isNative()) {
            kernel.argument(k, bytes.byteSize(), bytes.address());
            return;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment copy = arena.allocate(bytes.byteSize(), 16).copyFrom(bytes);
            kernel.argument(k, copy.byteSize(), copy.address());
        }
    }

    @Override
    public void issue(Queue queue) {
        if (!(queue instanceof OpenClQueue own)
                || !own.device().equals(function.program().device()))
            throw new IllegalArgumentException("queue is " + queue + "; expected one of "
                    + function.program().device() + ", for which " + function.name() + " was compiled");
        if (record != NONE) kernel.argument(record, own.recordForLaunch());
        int launch = own.launches().add(own.working(), function.name(), failures);
        try {
            if (number != NONE) kernel.argument(number, launch);
            kernel.enqueue(own.handle(), function.name());
        } finally {
            // Were it collected before the driver has taken it, another launch would get its kernel object.
            Reference.reachabilityFence(this);
        }
    }
}

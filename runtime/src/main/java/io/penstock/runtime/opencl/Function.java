package io.penstock.runtime.opencl;

import io.penstock.foreign.OpenCl;
import io.penstock.runtime.DeviceArgument;
import io.penstock.runtime.DeviceFunction;
import io.penstock.runtime.DeviceLaunch;
import io.penstock.runtime.FailureReader;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A kernel of a program. */
final class Function implements DeviceFunction {
    private final Program program;
    private final String name;
    private final int mostGroupItems;
    private final int multiple;

    /** Kernel objects of launches that are unreachable, for new ones to use. */
    private final ConcurrentLinkedQueue<KernelObject> spare = new ConcurrentLinkedQueue<>();

    Function(Program program, String name) {
        this.program = program;
        this.name = name;
        KernelObject kernel = new KernelObject(program.context().cl(), program.newKernel(name));
        spare.add(kernel);
        mostGroupItems = (int) Math.min(program.facts().groupItems(), number(kernel, OpenCl.CL_KERNEL_WORK_GROUP_SIZE));
        multiple = (int) Math.max(1, number(kernel, OpenCl.CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE));
    }

    private long number(KernelObject kernel, int what) {
        return Platform.number(
                "clGetKernelWorkGroupInfo",
                (bytes, answer, size) -> program.context()
                        .cl()
                        .getKernelWorkGroupInfo(kernel.handle(), program.facts().id(), what, bytes, answer, size));
    }

    String name() {
        return name;
    }

    Program program() {
        return program;
    }

    @Override
    public int mostGroupItems() {
        return mostGroupItems;
    }

    @Override
    public int goodGroupItems(int usual, long groupBytes) {
        int good = Math.min(usual, mostGroupItems);
        return good > multiple ? good / multiple * multiple : good;
    }

    @Override
    public DeviceLaunch bind(
            long[] groups, int[] groupItems, long groupBytes, List<DeviceArgument> arguments, FailureReader failures) {
        checkSizes(groups, groupItems, groupBytes);
        KernelObject free = spare.poll();
        KernelObject kernel =
                free != null ? free : new KernelObject(program.context().cl(), program.newKernel(name));
        try {
            kernel.sizes(groups, groupItems);
            Launch launch = new Launch(this, kernel, arguments, groupBytes, failures);
            ConcurrentLinkedQueue<KernelObject> home = spare;
            QueueHandles.CLEANER.register(launch, () -> home.add(kernel));
            return launch;
        } catch (RuntimeException e) {
            spare.add(kernel);
            throw e;
        }
    }

    private void checkSizes(long[] groups, int[] groupItems, long groupBytes) {
        if (groups.length != 3 || groupItems.length != 3)
            throw new IllegalArgumentException("groups is " + Arrays.toString(groups) + " and groupItems is "
                    + Arrays.toString(groupItems) + "; expected three numbers each");
        long items = 1;
        for (int k = 0; k < 3; k++) {
            if (groups[k] < 1)
                throw new IllegalArgumentException(
                        "groups is " + Arrays.toString(groups) + "; expected 1 or more each");
            if (groupItems[k] < 1)
                throw new IllegalArgumentException(
                        "groupItems is " + Arrays.toString(groupItems) + "; expected 1 or more each");
            Math.multiplyExact(groups[k], groupItems[k]);
            items *= groupItems[k];
        }
        if (items > mostGroupItems)
            throw new IllegalArgumentException("groupItems is " + Arrays.toString(groupItems) + ", " + items
                    + " together; " + program.device() + " takes at most " + mostGroupItems + " for " + name);
        if (groupBytes < 0 || groupBytes > program.facts().groupBytes())
            throw new IllegalArgumentException("groupBytes is " + groupBytes + "; " + program.device()
                    + " takes from 0 to " + program.facts().groupBytes());
    }
}

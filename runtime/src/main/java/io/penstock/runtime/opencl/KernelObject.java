package io.penstock.runtime.opencl;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.penstock.foreign.OpenCl;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A kernel object of the driver's, which holds arguments and sizes, for one launch at a time; both are for the next one to use. */
final class KernelObject {
    private final OpenCl cl;
    private final long handle;

    /** The global and the local size, and room for an argument. */
    private final MemorySegment memory = Arena.ofAuto().allocate(8 * Long.BYTES, Long.BYTES);

    KernelObject(OpenCl cl, long handle) {
        this.cl = cl;
        this.handle = handle;
        QueueHandles.CLEANER.register(this, () -> cl.releaseKernel(handle));
    }

    long handle() {
        return handle;
    }

    void sizes(long[] groups, int[] groupItems) {
        for (int k = 0; k < 3; k++) {
            memory.setAtIndex(JAVA_LONG, k, groups[k] * groupItems[k]);
            memory.setAtIndex(JAVA_LONG, 3 + k, groupItems[k]);
        }
    }

    void argument(int index, long value) {
        memory.setAtIndex(JAVA_LONG, 6, value);
        argument(index, Long.BYTES, memory.address() + 6 * Long.BYTES);
    }

    void argument(int index, int value) {
        memory.set(JAVA_INT, 7 * Long.BYTES, value);
        argument(index, Integer.BYTES, memory.address() + 7 * Long.BYTES);
    }

    void argument(int index, long bytes, long address) {
        OpenClException.check(cl.setKernelArg(handle, index, bytes, address), "clSetKernelArg " + index);
    }

    void unified(int index, long address) {
        OpenClException.check(cl.setKernelArgSVMPointer(handle, index, address), "clSetKernelArgSVMPointer " + index);
    }

    void enqueue(long queue, String name) {
        int error = cl.enqueueNDRangeKernel(
                queue, handle, 3, 0, memory.address(), memory.address() + 3 * Long.BYTES, 0, 0, 0);
        if (error != OpenCl.CL_SUCCESS)
            throw new OpenClException("clEnqueueNDRangeKernel of " + name + " on " + describe(), error);
    }

    private String describe() {
        StringBuilder text = new StringBuilder();
        for (int k = 0; k < 6; k++)
            text.append(k == 0 ? "" : k == 3 ? " items in groups of " : " x ").append(memory.getAtIndex(JAVA_LONG, k));
        return text.toString();
    }
}

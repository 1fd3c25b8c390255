package io.penstock.runtime.opencl;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.penstock.foreign.OpenCl;
import io.penstock.runtime.Box;
import io.penstock.runtime.Buffer;
import io.penstock.runtime.MemoryKind;
import java.lang.foreign.MemorySegment;

/**
 * The copies and fills of one queue, for one thread at a time.
 *
 * <p>OpenCL knows buffers and host memory. A copy that has neither a buffer at one end, nor a form that the driver takes, goes
 * through a buffer made for it, which the driver keeps for as long as it needs it.
 */
final class Copies {
    private final OpenCl cl;
    private final Context context;
    private final long queue;

    /** Two origins and a region of three numbers each. */
    private final MemorySegment numbers;

    private final MemorySegment value;

    /** One end of a copy: bytes of an OpenCL buffer of at least some length, or of the host's memory. */
    private record End(boolean isBuffer, long handle, long length, Box box) {
        static End of(Buffer buffer, Box box) {
            long offset = buffer.offset();
            return buffer.kind() == MemoryKind.DEVICE
                    ? new End(true, buffer.address() - offset, offset + buffer.bytes(), shifted(box, offset))
                    : new End(false, buffer.hostAddress(), Long.MAX_VALUE, box);
        }

        private End with(Box other) {
            return new End(isBuffer, handle, length, other);
        }

        End plane(long k) {
            return with(Box.rows(box.offset() + k * box.planeStride(), box.rowBytes(), box.rows(), box.rowStride()));
        }

        /** All planes but the last. */
        End withoutLastPlane() {
            return with(new Box(
                    box.offset(), box.rowBytes(), box.rows(), box.rowStride(), box.planes() - 1, box.planeStride()));
        }

        /** All rows of the one plane but the last. */
        End withoutLastRow() {
            return with(Box.rows(box.offset(), box.rowBytes(), box.rows() - 1, box.rowStride()));
        }

        End lastRow() {
            return with(Box.contiguous(box.offset() + (box.rows() - 1) * box.rowStride(), box.rowBytes()));
        }

        /** NVIDIA's driver wants the last row, and the last plane, to have a whole stride of the buffer. */
        boolean endsEarly() {
            return box.offset() + box.planes() * box.planeStride() > length;
        }

        /** OpenCL wants the distance between planes to be a multiple of that between rows. */
        boolean hasOddPlanes() {
            return box.planes() > 1 && box.planeStride() % box.rowStride() != 0;
        }
    }

    Copies(OpenCl cl, Context context, QueueHandles handles) {
        this.cl = cl;
        this.context = context;
        this.queue = handles.queue();
        this.numbers = handles.allocate(9 * Long.BYTES);
        this.value = handles.allocate(2 * Long.BYTES);
    }

    private static Box shifted(Box box, long bytes) {
        return new Box(
                box.offset() + bytes, box.rowBytes(), box.rows(), box.rowStride(), box.planes(), box.planeStride());
    }

    void copy(Buffer from, Box source, Buffer to, Box target) {
        copy(End.of(from, source), End.of(to, target));
    }

    private void copy(End from, End to) {
        if (from.isBuffer ? to.isBuffer && from.handle == to.handle && !samePitches(from.box, to.box) : !to.isBuffer)
            through(from, to);
        else if (from.box.isContiguous() && to.box.isContiguous()) copyRange(from, to, from.box.bytes());
        else if (from.hasOddPlanes() || to.hasOddPlanes())
            for (long k = 0; k < from.box.planes(); k++) copy(from.plane(k), to.plane(k));
        else if (from.endsEarly() || to.endsEarly()) copyWithoutGapAtTheEnd(from, to);
        else copyRows(from, to);
    }

    private void copyWithoutGapAtTheEnd(End from, End to) {
        long last = from.box.planes() - 1;
        if (last > 0) {
            copy(from.withoutLastPlane(), to.withoutLastPlane());
            copy(from.plane(last), to.plane(last));
        } else {
            copy(from.withoutLastRow(), to.withoutLastRow());
            copy(from.lastRow(), to.lastRow());
        }
    }

    private static boolean samePitches(Box a, Box b) {
        return (a.isContiguous() && b.isContiguous())
                || (a.rowStride() == b.rowStride() && a.planeStride() == b.planeStride());
    }

    private void copyRange(End from, End to, long bytes) {
        long source = from.box.offset();
        long target = to.box.offset();
        if (from.isBuffer && to.isBuffer)
            OpenClException.check(
                    cl.enqueueCopyBuffer(queue, from.handle, to.handle, source, target, bytes, 0, 0, 0),
                    "clEnqueueCopyBuffer");
        else if (from.isBuffer)
            OpenClException.check(
                    cl.enqueueReadBuffer(queue, from.handle, 0, source, bytes, to.handle + target, 0, 0, 0),
                    "clEnqueueReadBuffer");
        else
            OpenClException.check(
                    cl.enqueueWriteBuffer(queue, to.handle, 0, target, bytes, from.handle + source, 0, 0, 0),
                    "clEnqueueWriteBuffer");
    }

    private void copyRows(End from, End to) {
        Box a = from.box;
        Box b = to.box;
        long source = numbers.address();
        long target = source + 3 * Long.BYTES;
        long region = target + 3 * Long.BYTES;
        numbers.set(JAVA_LONG, 0, from.isBuffer ? a.offset() : 0);
        numbers.set(JAVA_LONG, 3 * Long.BYTES, to.isBuffer ? b.offset() : 0);
        numbers.setAtIndex(JAVA_LONG, 6, a.rowBytes());
        numbers.setAtIndex(JAVA_LONG, 7, a.rows());
        numbers.setAtIndex(JAVA_LONG, 8, a.planes());
        if (from.isBuffer && to.isBuffer)
            OpenClException.check(
                    cl.enqueueCopyBufferRect(
                            queue,
                            from.handle,
                            to.handle,
                            source,
                            target,
                            region,
                            a.rowStride(),
                            a.planeStride(),
                            b.rowStride(),
                            b.planeStride(),
                            0,
                            0,
                            0),
                    "clEnqueueCopyBufferRect");
        else if (from.isBuffer)
            OpenClException.check(
                    cl.enqueueReadBufferRect(
                            queue,
                            from.handle,
                            0,
                            source,
                            target,
                            region,
                            a.rowStride(),
                            a.planeStride(),
                            b.rowStride(),
                            b.planeStride(),
                            to.handle + b.offset(),
                            0,
                            0,
                            0),
                    "clEnqueueReadBufferRect");
        else
            OpenClException.check(
                    cl.enqueueWriteBufferRect(
                            queue,
                            to.handle,
                            0,
                            target,
                            source,
                            region,
                            b.rowStride(),
                            b.planeStride(),
                            a.rowStride(),
                            a.planeStride(),
                            from.handle + a.offset(),
                            0,
                            0,
                            0),
                    "clEnqueueWriteBufferRect");
    }

    /** Copies by way of a buffer of its own, in which the box lies packed. */
    private void through(End from, End to) {
        long between = newBuffer(from.box.bytes());
        try {
            End packed = packed(between, from.box);
            copy(from, packed);
            copy(packed, to);
        } finally {
            cl.releaseMemObject(between);
        }
    }

    private static End packed(long buffer, Box box) {
        long plane = box.rows() * box.rowBytes();
        return new End(
                true, buffer, box.bytes(), new Box(0, box.rowBytes(), box.rows(), box.rowBytes(), box.planes(), plane));
    }

    private long newBuffer(long bytes) {
        long buffer = cl.createBuffer(context.handle(), OpenCl.CL_MEM_READ_WRITE, bytes, 0, numbers.address());
        OpenClException.check(numbers.get(JAVA_INT, 0), "clCreateBuffer of " + bytes + " bytes to copy through");
        return buffer;
    }

    void fill(Buffer to, Box target, long low, long high, int width) {
        value.set(JAVA_LONG, 0, low);
        value.set(JAVA_LONG, Long.BYTES, high);
        End end = End.of(to, target);
        if (end.isBuffer && end.box.isContiguous() && end.box.offset() % width == 0) {
            fill(end.handle, width, end.box.offset(), end.box.bytes());
            return;
        }
        long between = newBuffer(target.bytes());
        try {
            fill(between, width, 0, target.bytes());
            copy(packed(between, target), end);
        } finally {
            cl.releaseMemObject(between);
        }
    }

    /** Fills the beginning of a buffer with zeros. */
    void zero(long buffer, long bytes) {
        value.fill((byte) 0);
        fill(buffer, Long.BYTES, 0, bytes);
    }

    private void fill(long buffer, int width, long offset, long bytes) {
        OpenClException.check(
                cl.enqueueFillBuffer(queue, buffer, value.address(), width, offset, bytes, 0, 0, 0),
                "clEnqueueFillBuffer");
    }
}

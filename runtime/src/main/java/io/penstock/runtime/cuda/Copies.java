package io.penstock.runtime.cuda;

import static io.penstock.foreign.CudaValues.CU_DEVICE_ATTRIBUTE_MAX_PITCH;
import static io.penstock.foreign.CudaValues.CU_MEMORYTYPE_UNIFIED;
import static io.penstock.foreign.CudaValues.MEMCPY3D;
import static io.penstock.foreign.CudaValues.offset;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.penstock.foreign.Cuda;
import io.penstock.runtime.Box;
import io.penstock.runtime.HostMemory;

/** The driver's copies and fills of boxes, in as few calls as it takes. All addresses are those that every device uses alike. */
final class Copies {
    private static final long SRC_TYPE = offset(MEMCPY3D, "srcMemoryType");
    private static final long SRC_DEVICE = offset(MEMCPY3D, "srcDevice");
    private static final long SRC_PITCH = offset(MEMCPY3D, "srcPitch");
    private static final long SRC_HEIGHT = offset(MEMCPY3D, "srcHeight");
    private static final long DST_TYPE = offset(MEMCPY3D, "dstMemoryType");
    private static final long DST_DEVICE = offset(MEMCPY3D, "dstDevice");
    private static final long DST_PITCH = offset(MEMCPY3D, "dstPitch");
    private static final long DST_HEIGHT = offset(MEMCPY3D, "dstHeight");
    private static final long WIDTH = offset(MEMCPY3D, "WidthInBytes");
    private static final long HEIGHT = offset(MEMCPY3D, "Height");
    private static final long DEPTH = offset(MEMCPY3D, "Depth");

    private final CudaDevice device;
    private final Cuda calls;
    private final long mostPitch;

    Copies(CudaDevice device) {
        this.device = device;
        this.calls = device.context().calls();
        this.mostPitch = device.context().attribute(CU_DEVICE_ATTRIBUTE_MAX_PITCH);
    }

    /** Copies a box at {@code from} to one of the same extents at {@code to}. */
    void copy(long stream, long from, Box source, long to, Box target) {
        long read = from + source.offset();
        long written = to + target.offset();
        if (source.isContiguous() && target.isContiguous()) {
            line(stream, read, written, source.bytes());
        } else if (source.rows() == 1) {
            rows(stream, read, source.planeStride(), written, target.planeStride(), source.rowBytes(), source.planes());
        } else if (source.planes() == 1 || !isOneCall(source) || !isOneCall(target)) {
            for (long k = 0; k < source.planes(); k++)
                rows(
                        stream,
                        read + k * source.planeStride(),
                        source.rowStride(),
                        written + k * target.planeStride(),
                        target.rowStride(),
                        source.rowBytes(),
                        source.rows());
        } else {
            box(stream, read, source, written, target);
        }
    }

    /** Whether the driver can describe the box: it counts the distance between planes in rows. */
    private boolean isOneCall(Box box) {
        return box.rowStride() <= mostPitch && box.planeStride() % box.rowStride() == 0;
    }

    private void line(long stream, long from, long to, long bytes) {
        device.check(calls.memcpyAsync(to, from, bytes, stream), "cuMemcpyAsync");
    }

    private void rows(long stream, long from, long fromStride, long to, long toStride, long bytes, long rows) {
        if (fromStride > mostPitch || toStride > mostPitch) {
            for (long k = 0; k < rows; k++) line(stream, from + k * fromStride, to + k * toStride, bytes);
            return;
        }
        box(stream, from, Box.rows(0, bytes, rows, fromStride), to, Box.rows(0, bytes, rows, toStride));
    }

    private void box(long stream, long from, Box source, long to, Box target) {
        long struct = CallingThread.get().clearedStruct();
        put(struct + SRC_DEVICE, from);
        put(struct + SRC_PITCH, source.rowStride());
        put(struct + SRC_HEIGHT, source.planeStride() / source.rowStride());
        put(struct + DST_DEVICE, to);
        put(struct + DST_PITCH, target.rowStride());
        put(struct + DST_HEIGHT, target.planeStride() / target.rowStride());
        put(struct + WIDTH, source.rowBytes());
        put(struct + HEIGHT, source.rows());
        put(struct + DEPTH, source.planes());
        HostMemory.ALL.set(JAVA_INT, struct + SRC_TYPE, CU_MEMORYTYPE_UNIFIED);
        HostMemory.ALL.set(JAVA_INT, struct + DST_TYPE, CU_MEMORYTYPE_UNIFIED);
        device.check(calls.memcpy3DAsync(struct, stream), "cuMemcpy3DAsync");
    }

    private static void put(long address, long value) {
        HostMemory.ALL.set(JAVA_LONG, address, value);
    }

    /** Fills a box with a value of {@code width} bytes, wherever it begins. */
    void fill(long stream, long to, Box target, long low, long high, int width) {
        long begin = to + target.offset();
        int unit = width;
        if (width > 4) {
            boolean even = low >>> 32 == (low & 0xffffffffL) && (width == 8 || high == low);
            if (even) unit = 4;
        }
        if (unit > 4 || begin % unit != 0) {
            wide(stream, begin, target, low, high, width);
        } else if (target.isContiguous()) {
            set(stream, begin, 0, low, unit, target.bytes() / unit, 1);
        } else if (target.rows() == 1) {
            set(stream, begin, target.planeStride(), low, unit, target.rowBytes() / unit, target.planes());
        } else {
            for (long k = 0; k < target.planes(); k++)
                set(
                        stream,
                        begin + k * target.planeStride(),
                        target.rowStride(),
                        low,
                        unit,
                        target.rowBytes() / unit,
                        target.rows());
        }
    }

    private void set(long stream, long to, long pitch, long value, int unit, long count, long rows) {
        if (rows == 1) {
            device.check(
                    switch (unit) {
                        case 1 -> calls.memsetD8Async(to, value & 0xff, count, stream);
                        case 2 -> calls.memsetD16Async(to, value & 0xffff, count, stream);
                        default -> calls.memsetD32Async(to, value & 0xffffffffL, count, stream);
                    },
                    "cuMemsetAsync");
        } else if (pitch > mostPitch) {
            for (long k = 0; k < rows; k++) set(stream, to + k * pitch, 0, value, unit, count, 1);
        } else {
            device.check(
                    switch (unit) {
                        case 1 -> calls.memsetD2D8Async(to, pitch, value & 0xff, count, rows, stream);
                        case 2 -> calls.memsetD2D16Async(to, pitch, value & 0xffff, count, rows, stream);
                        default -> calls.memsetD2D32Async(to, pitch, value & 0xffffffffL, count, rows, stream);
                    },
                    "cuMemsetD2DAsync");
        }
    }

    /**
     * The driver sets no more than four bytes alike, and those in their natural places only; so one value is written, in words or
     * bytes, and copied to twice as many again and again.
     */
    private void wide(long stream, long to, Box target, long low, long high, int width) {
        int unit = width >= 4 && to % 4 == 0 ? 4 : 1;
        for (int at = 0; at < width; at += unit)
            set(stream, to + at, 0, (at < 8 ? low : high) >>> (8 * (at % 8)), unit, 1, 1);
        long rowBytes = target.isContiguous() ? target.bytes() : target.rowBytes();
        for (long done = width; done < rowBytes; done *= 2)
            line(stream, to, to + done, Math.min(done, rowBytes - done));
        if (target.isContiguous()) return;
        long stride = target.rowStride();
        for (long done = 1; done < target.rows(); done *= 2)
            rows(stream, to, stride, to + done * stride, stride, rowBytes, Math.min(done, target.rows() - done));
        for (long plane = 1; plane < target.planes(); plane++)
            rows(stream, to, stride, to + plane * target.planeStride(), stride, rowBytes, target.rows());
    }
}

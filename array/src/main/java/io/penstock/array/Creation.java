package io.penstock.array;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.penstock.runtime.Device;
import io.penstock.runtime.HostMemory;
import java.lang.foreign.MemorySegment;

/** New arrays from Java's arrays and from formulas, and Java's arrays from arrays. */
final class Creation {
    /** The fewest random numbers worth a core of their own. */
    private static final long RANDOM_GRAIN = 1 << 12;

    private Creation() {}

    /** An array that was made on the host, on the device that new arrays are to lie on. */
    static NDArray placed(NDArray made) {
        return placed(made, Device.current());
    }

    /** An array that was made on the host, on a device. */
    static NDArray placed(NDArray made, Device device) {
        NDArray placed = made.to(device);
        if (placed != made) made.close();
        return placed;
    }

    static NDArray random(long seed, DType dtype, long... shape) {
        if (shape.length == 0) return random(seed, dtype, 1).reshape();
        return randomBlock(seed, dtype, shape, 0, 0, shape[0]);
    }

    static NDArray of(double[] values) {
        NDArray array = NDArray.onHost(DType.F64, values.length);
        MemorySegment.copy(values, 0, HostMemory.ALL, JAVA_DOUBLE_UNALIGNED, array.address(), values.length);
        return array;
    }

    static NDArray of(float[] values) {
        NDArray array = NDArray.onHost(DType.F32, values.length);
        MemorySegment.copy(values, 0, HostMemory.ALL, JAVA_FLOAT_UNALIGNED, array.address(), values.length);
        return array;
    }

    static NDArray of(int[] values) {
        NDArray array = NDArray.onHost(DType.I32, values.length);
        MemorySegment.copy(values, 0, HostMemory.ALL, JAVA_INT_UNALIGNED, array.address(), values.length);
        return array;
    }

    static NDArray of(long[] values) {
        NDArray array = NDArray.onHost(DType.I64, values.length);
        MemorySegment.copy(values, 0, HostMemory.ALL, JAVA_LONG_UNALIGNED, array.address(), values.length);
        return array;
    }

    static NDArray ofComplex(double[] interleaved) {
        if (interleaved.length % 2 != 0)
            throw new IllegalArgumentException("interleaved has " + interleaved.length
                    + " numbers; expected an even count, real and imaginary parts in turn");
        NDArray array = NDArray.onHost(DType.C128, interleaved.length / 2);
        MemorySegment.copy(interleaved, 0, HostMemory.ALL, JAVA_DOUBLE_UNALIGNED, array.address(), interleaved.length);
        return array;
    }

    static NDArray copyOf(double[][] rows) {
        int columns = rows.length == 0 ? 0 : rows[0].length;
        NDArray array = NDArray.onHost(DType.F64, rows.length, columns);
        for (int i = 0; i < rows.length; i++) {
            if (rows[i].length != columns)
                throw new IllegalArgumentException(
                        "row " + i + " has " + rows[i].length + " numbers; expected " + columns + ", as row 0");
            long address = array.address() + 8L * i * columns;
            MemorySegment.copy(rows[i], 0, HostMemory.ALL, JAVA_DOUBLE_UNALIGNED, address, columns);
        }
        return array;
    }

    static NDArray scalar(Object number) {
        DType dtype = switch (number) {
            case Integer i -> DType.I64;
            case Long l -> DType.I64;
            case Complex c -> DType.C128;
            default -> DType.F64;
        };
        NDArray array = NDArray.onHost(dtype);
        switch (number) {
            case Complex c -> array.set(c);
            case Long l -> HostMemory.ALL.set(JAVA_LONG_UNALIGNED, array.address(), l);
            case Number n -> array.set(n.doubleValue());
            default -> throw new IllegalArgumentException("number is " + number + "; expected a number");
        }
        return array;
    }

    static NDArray arange(long n) {
        NDArray array = NDArray.onHost(DType.I64, n);
        for (long i = 0; i < n; i++) HostMemory.ALL.set(JAVA_LONG_UNALIGNED, array.address() + 8 * i, i);
        return array;
    }

    static NDArray arange(double from, double to, double step) {
        if (step == 0 || Double.isNaN(from + to + step))
            throw new IllegalArgumentException("from is " + from + ", to is " + to + ", step is " + step
                    + "; expected numbers and a step that is not 0");
        NDArray array = NDArray.onHost(DType.F64, Math.max(0, (long) Math.ceil((to - from) / step)));
        for (long i = 0; i < array.size(); i++)
            HostMemory.ALL.set(JAVA_DOUBLE_UNALIGNED, array.address() + 8 * i, from + i * step);
        return array;
    }

    static NDArray linspace(double from, double to, long n) {
        NDArray array = NDArray.onHost(DType.F64, n);
        double step = (to - from) / Math.max(n - 1, 1);
        for (long i = 0; i < n; i++)
            HostMemory.ALL.set(
                    JAVA_DOUBLE_UNALIGNED, array.address() + 8 * i, i == n - 1 && n > 1 ? to : from + i * step);
        return array;
    }

    static NDArray randomBlock(long seed, DType dtype, long[] globalShape, int axis, long from, long to) {
        int k = Shapes.axis(axis, globalShape.length);
        if (from < 0 || to < from || to > globalShape[k])
            throw new IndexOutOfBoundsException("positions " + from + " to " + to + " along axis " + k
                    + " do not lie within its extent " + globalShape[k]);
        long[] shape = globalShape.clone();
        shape[k] = to - from;
        NDArray array = NDArray.onHost(dtype, shape);
        long inner = 1;
        for (int j = k + 1; j < shape.length; j++) inner *= shape[j];
        long run = inner * shape[k];
        long global = inner * globalShape[k];
        long skip = from * inner;
        long address = array.address();
        Device.jvm().queue().parallel(array.size(), RANDOM_GRAIN, (first, end) -> {
            for (long i = first; i < end; i++) {
                long at = 2 * (i / run * global + skip + i % run);
                double im = dtype.isComplex() ? Normal.at(seed, at + 1) : 0;
                Elements.set(dtype, address + i * dtype.bytes(), Normal.at(seed, at), im);
            }
        });
        Alive.until(array);
        return array;
    }

    static double[] toDoubles(NDArray a) {
        double[] values = new double[length(a)];
        copy(a, DType.F64, MemorySegment.ofArray(values));
        return values;
    }

    static float[] toFloats(NDArray a) {
        float[] values = new float[length(a)];
        copy(a, DType.F32, MemorySegment.ofArray(values));
        return values;
    }

    static int[] toInts(NDArray a) {
        int[] values = new int[length(a)];
        copy(a, DType.I32, MemorySegment.ofArray(values));
        return values;
    }

    static long[] toLongs(NDArray a) {
        long[] values = new long[length(a)];
        copy(a, DType.I64, MemorySegment.ofArray(values));
        return values;
    }

    private static int length(NDArray a) {
        if (a.size() > Integer.MAX_VALUE - 8)
            throw new IllegalArgumentException("the array has " + a.size() + " elements, more than a Java array can");
        return (int) a.size();
    }

    private static void copy(NDArray array, DType dtype, MemorySegment target) {
        NDArray a = array.readable();
        try {
            copyReadable(a, dtype, target);
        } finally {
            array.doneWith(a);
        }
    }

    private static void copyReadable(NDArray a, DType dtype, MemorySegment target) {
        if (a.dtype().isComplex() && !dtype.isComplex()) a.requireRealElements();
        boolean ready = a.dtype() == dtype && a.isContiguous();
        NDArray source = ready ? a : a.as(dtype).contiguous();
        MemorySegment.copy(HostMemory.ALL, source.addressToRead(), target, 0, target.byteSize());
        Alive.until(source);
        if (!ready) source.close();
    }
}

package io.penstock.kernel;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.penstock.runtime.Buffer;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;

/** Arguments for random kernels and for the samples, and what a kernel left in them. */
final class RandomArguments {
    private RandomArguments() {}

    private static final double[] EDGES = {
        0,
        -0.0,
        1,
        -1,
        0.5,
        Double.NaN,
        Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY,
        1e-310,
        3e9,
        -3e9,
        1e19,
        1e-40
    };

    static int anInt(SplittableRandom random) {
        return switch (random.nextInt(4)) {
            case 0 -> random.nextInt();
            case 1 -> random.nextBoolean() ? Integer.MIN_VALUE : Integer.MAX_VALUE;
            default -> random.nextInt(-9, 10);
        };
    }

    static double aDouble(SplittableRandom random) {
        return random.nextInt(3) == 0 ? EDGES[random.nextInt(EDGES.length)] : random.nextInt(-50, 50) / 8.0;
    }

    static Buffer ints(SplittableRandom random, int count) {
        Buffer buffer = Memory.bytes(4L * count);
        for (int k = 0; k < count; k++) buffer.segment().setAtIndex(JAVA_INT, k, anInt(random));
        return buffer;
    }

    static Buffer longs(SplittableRandom random, int count) {
        Buffer buffer = Memory.bytes(8L * count);
        for (int k = 0; k < count; k++)
            buffer.segment().setAtIndex(JAVA_LONG, k, random.nextInt(5) == 0 ? random.nextLong() : anInt(random));
        return buffer;
    }

    static Buffer floats(SplittableRandom random, int count) {
        Buffer buffer = Memory.bytes(4L * count);
        for (int k = 0; k < count; k++) buffer.segment().setAtIndex(JAVA_FLOAT, k, (float) aDouble(random));
        return buffer;
    }

    static Buffer doubles(SplittableRandom random, int count) {
        Buffer buffer = Memory.bytes(8L * count);
        for (int k = 0; k < count; k++) buffer.segment().setAtIndex(JAVA_DOUBLE, k, aDouble(random));
        return buffer;
    }

    /** The arguments of a random kernel for a number of items. */
    static Object[] ofRandomKernel(SplittableRandom random, int items) {
        int outputs = items * RandomKernels.COLUMNS;
        int inputs = RandomKernels.LENGTH;
        Object[] values = {
            Ints.of(ints(random, outputs), items, RandomKernels.COLUMNS),
            Longs.of(longs(random, outputs), items, RandomKernels.COLUMNS),
            Floats.of(floats(random, outputs), items, RandomKernels.COLUMNS),
            Doubles.of(doubles(random, outputs), items, RandomKernels.COLUMNS),
            Ints.of(ints(random, inputs), inputs),
            Longs.of(longs(random, inputs), inputs),
            Floats.of(floats(random, inputs), inputs),
            Doubles.of(doubles(random, inputs), inputs),
            0L,
            random.nextInt(-2, 7)
        };
        values[8] = random.nextLong();
        return values;
    }

    /** Lays the outputs of a random kernel out column by column. */
    static void byColumns(Object[] values, int items) {
        long[] shape = {items, RandomKernels.COLUMNS};
        long[] strides = {1, items};
        values[0] = Ints.of(((Ints) values[0]).buffer(), 0, shape, strides);
        values[1] = Longs.of(((Longs) values[1]).buffer(), 0, shape, strides);
        values[2] = Floats.of(((Floats) values[2]).buffer(), 0, shape, strides);
        values[3] = Doubles.of(((Doubles) values[3]).buffer(), 0, shape, strides);
    }

    /** The arguments of a random kernel whose items work together, for a number of items: in groups of at most {@link RandomKernels#GROUP}. */
    static Object[] ofGroupKernel(SplittableRandom random, int items) {
        Object[] values = java.util.Arrays.copyOf(ofRandomKernel(random, items), 12);
        values[10] = Ints.of(ints(random, RandomKernels.SUMS), RandomKernels.SUMS);
        values[11] = Longs.of(longs(random, RandomKernels.SUMS), RandomKernels.SUMS);
        return values;
    }

    /** What all views of some arguments hold. */
    static byte[] bytes(Object[] arguments) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (Object argument : arguments)
            if (argument instanceof ElementView view)
                all.writeBytes(view.buffer().segment().toArray(JAVA_BYTE));
        return all.toByteArray();
    }

    /** What all views of some arguments hold, with all NaNs made one: which one an operation gives, Java does not say. */
    static byte[] results(Object[] values) {
        for (Object value : values) {
            if (!(value instanceof ElementView view)) continue;
            MemorySegment all = view.buffer().segment();
            if (value instanceof Floats || value instanceof ComplexFloats) {
                for (long at = 0; at + 4 <= all.byteSize(); at += 4)
                    if (Float.isNaN(all.get(JAVA_FLOAT_UNALIGNED, at))) all.set(JAVA_FLOAT_UNALIGNED, at, Float.NaN);
            } else if (value instanceof Doubles || value instanceof ComplexDoubles) {
                for (long at = 0; at + 8 <= all.byteSize(); at += 8)
                    if (Double.isNaN(all.get(JAVA_DOUBLE_UNALIGNED, at)))
                        all.set(JAVA_DOUBLE_UNALIGNED, at, Double.NaN);
            }
        }
        return bytes(values);
    }

    static void restore(Object[] arguments, byte[] bytes) {
        int from = 0;
        for (Object argument : arguments)
            if (argument instanceof ElementView view) {
                MemorySegment segment = view.buffer().segment();
                MemorySegment.copy(bytes, from, segment, JAVA_BYTE, 0, (int) segment.byteSize());
                from += (int) segment.byteSize();
            }
    }
}

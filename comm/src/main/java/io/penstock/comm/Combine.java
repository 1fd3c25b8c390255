package io.penstock.comm;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.penstock.array.DType;
import io.penstock.runtime.HostMemory;
import java.nio.ByteOrder;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * {@code a[i] = op(a[i], b[i])} over contiguous elements at raw addresses. Integers wrap around; {@code MIN} and {@code MAX} are
 * those of {@link Math}, so NaN wins.
 */
final class Combine {
    private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_PREFERRED;
    private static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_PREFERRED;
    private static final ByteOrder ORDER = ByteOrder.nativeOrder();

    private Combine() {}

    static double of(ReduceOp op, double a, double b) {
        return switch (op) {
            case SUM -> a + b;
            case PROD -> a * b;
            case MIN -> Math.min(a, b);
            case MAX -> Math.max(a, b);
        };
    }

    private static float of(ReduceOp op, float a, float b) {
        return switch (op) {
            case SUM -> a + b;
            case PROD -> a * b;
            case MIN -> Math.min(a, b);
            case MAX -> Math.max(a, b);
        };
    }

    private static long of(ReduceOp op, long a, long b) {
        return switch (op) {
            case SUM -> a + b;
            case PROD -> a * b;
            case MIN -> Math.min(a, b);
            case MAX -> Math.max(a, b);
        };
    }

    static void into(DType dtype, ReduceOp op, long a, long b, long count) {
        switch (dtype) {
            case U8 -> bytes(op, a, b, count);
            case I32 -> ints(op, a, b, count);
            case I64 -> longs(op, a, b, count);
            case F32 -> {
                if (op == ReduceOp.SUM) addFloats(a, b, count);
                else floats(op, a, b, count);
            }
            case F64 -> {
                if (op == ReduceOp.SUM) addDoubles(a, b, count);
                else doubles(op, a, b, count);
            }
            case C64 -> {
                if (op == ReduceOp.SUM) addFloats(a, b, 2 * count);
                else multiplyFloatPairs(a, b, count);
            }
            case C128 -> {
                if (op == ReduceOp.SUM) addDoubles(a, b, 2 * count);
                else multiplyDoublePairs(a, b, count);
            }
        }
    }

    private static void addFloats(long a, long b, long count) {
        long bound = FLOATS.loopBound(count);
        for (long i = 0; i < bound; i += FLOATS.length())
            FloatVector.fromMemorySegment(FLOATS, HostMemory.ALL, a + 4 * i, ORDER)
                    .add(FloatVector.fromMemorySegment(FLOATS, HostMemory.ALL, b + 4 * i, ORDER))
                    .intoMemorySegment(HostMemory.ALL, a + 4 * i, ORDER);
        floats(ReduceOp.SUM, a + 4 * bound, b + 4 * bound, count - bound);
    }

    private static void addDoubles(long a, long b, long count) {
        long bound = DOUBLES.loopBound(count);
        for (long i = 0; i < bound; i += DOUBLES.length())
            DoubleVector.fromMemorySegment(DOUBLES, HostMemory.ALL, a + 8 * i, ORDER)
                    .add(DoubleVector.fromMemorySegment(DOUBLES, HostMemory.ALL, b + 8 * i, ORDER))
                    .intoMemorySegment(HostMemory.ALL, a + 8 * i, ORDER);
        doubles(ReduceOp.SUM, a + 8 * bound, b + 8 * bound, count - bound);
    }

    private static void floats(ReduceOp op, long a, long b, long count) {
        for (long i = 0; i < count; i++) setFloat(a + 4 * i, of(op, getFloat(a + 4 * i), getFloat(b + 4 * i)));
    }

    private static void doubles(ReduceOp op, long a, long b, long count) {
        for (long i = 0; i < count; i++) setDouble(a + 8 * i, of(op, getDouble(a + 8 * i), getDouble(b + 8 * i)));
    }

    private static void multiplyFloatPairs(long a, long b, long count) {
        for (long i = 0; i < 8 * count; i += 8) {
            float ar = getFloat(a + i);
            float ai = getFloat(a + i + 4);
            float br = getFloat(b + i);
            float bi = getFloat(b + i + 4);
            setFloat(a + i, ar * br - ai * bi);
            setFloat(a + i + 4, ar * bi + ai * br);
        }
    }

    private static void multiplyDoublePairs(long a, long b, long count) {
        for (long i = 0; i < 16 * count; i += 16) {
            double ar = getDouble(a + i);
            double ai = getDouble(a + i + 8);
            double br = getDouble(b + i);
            double bi = getDouble(b + i + 8);
            setDouble(a + i, ar * br - ai * bi);
            setDouble(a + i + 8, ar * bi + ai * br);
        }
    }

    private static void bytes(ReduceOp op, long a, long b, long count) {
        for (long i = 0; i < count; i++) {
            long x = HostMemory.ALL.get(JAVA_BYTE, a + i) & 0xff;
            long y = HostMemory.ALL.get(JAVA_BYTE, b + i) & 0xff;
            HostMemory.ALL.set(JAVA_BYTE, a + i, (byte) of(op, x, y));
        }
    }

    private static void ints(ReduceOp op, long a, long b, long count) {
        for (long i = 0; i < 4 * count; i += 4) {
            long x = HostMemory.ALL.get(JAVA_INT_UNALIGNED, a + i);
            long y = HostMemory.ALL.get(JAVA_INT_UNALIGNED, b + i);
            HostMemory.ALL.set(JAVA_INT_UNALIGNED, a + i, (int) of(op, x, y));
        }
    }

    private static void longs(ReduceOp op, long a, long b, long count) {
        for (long i = 0; i < 8 * count; i += 8) {
            long x = HostMemory.ALL.get(JAVA_LONG_UNALIGNED, a + i);
            long y = HostMemory.ALL.get(JAVA_LONG_UNALIGNED, b + i);
            HostMemory.ALL.set(JAVA_LONG_UNALIGNED, a + i, of(op, x, y));
        }
    }

    private static float getFloat(long address) {
        return HostMemory.ALL.get(JAVA_FLOAT_UNALIGNED, address);
    }

    private static void setFloat(long address, float value) {
        HostMemory.ALL.set(JAVA_FLOAT_UNALIGNED, address, value);
    }

    private static double getDouble(long address) {
        return HostMemory.ALL.get(JAVA_DOUBLE_UNALIGNED, address);
    }

    private static void setDouble(long address, double value) {
        HostMemory.ALL.set(JAVA_DOUBLE_UNALIGNED, address, value);
    }
}

package io.penstock.operator;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;

import io.penstock.runtime.HostMemory;
import java.nio.ByteOrder;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorSpecies;

/** Rows of doubles. */
final class RowsF64 implements RealRows {
    private static final VectorSpecies<Double> LANES = DoubleVector.SPECIES_PREFERRED;
    private static final long STEP = LANES.vectorByteSize();
    private static final ByteOrder ORDER = ByteOrder.nativeOrder();

    @Override
    public void scale(long y, double a, long x, long count) {
        double factor = a;
        long bytes = count * 8;
        long i = 0;
        for (; i <= bytes - STEP; i += STEP) store(load(x + i).mul(factor), y + i);
        for (; i < bytes; i += 8) set(y + i, factor * get(x + i));
    }

    @Override
    public void add(long y, long p, double a, long x, long count) {
        double factor = a;
        long bytes = count * 8;
        long i = 0;
        for (; i <= bytes - STEP; i += STEP) store(load(x + i).mul(factor).add(load(p + i)), y + i);
        for (; i < bytes; i += 8) set(y + i, get(p + i) + factor * get(x + i));
    }

    @Override
    public void add(long y, long p, double a, long w, double b, long x, long count) {
        double first = a;
        double second = b;
        long bytes = count * 8;
        long i = 0;
        for (; i <= bytes - STEP; i += STEP)
            store(load(x + i).mul(second).add(load(w + i).mul(first).add(load(p + i))), y + i);
        for (; i < bytes; i += 8) set(y + i, get(p + i) + first * get(w + i) + second * get(x + i));
    }

    @Override
    public void sum(long y, long x, long step, long count) {
        double even = 0;
        double odd = 0;
        long end = x + count * step;
        long at = x;
        for (; at < end - step; at += 2 * step) {
            even += get(at);
            odd += get(at + step);
        }
        if (at < end) even += get(at);
        set(y, (even + odd));
    }

    private static void store(DoubleVector value, long address) {
        value.intoMemorySegment(HostMemory.ALL, address, ORDER);
    }

    private static DoubleVector load(long address) {
        return DoubleVector.fromMemorySegment(LANES, HostMemory.ALL, address, ORDER);
    }

    private static double get(long address) {
        return HostMemory.ALL.get(JAVA_DOUBLE_UNALIGNED, address);
    }

    private static void set(long address, double value) {
        HostMemory.ALL.set(JAVA_DOUBLE_UNALIGNED, address, value);
    }
}

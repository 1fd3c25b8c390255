package io.penstock.operator;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import io.penstock.runtime.HostMemory;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/** Rows of floats. */
final class RowsF32 implements RealRows {
    private static final VectorSpecies<Float> LANES = FloatVector.SPECIES_PREFERRED;
    private static final long STEP = LANES.vectorByteSize();
    private static final ByteOrder ORDER = ByteOrder.nativeOrder();

    @Override
    public void scale(long y, double a, long x, long count) {
        float factor = (float) a;
        long bytes = count * 4;
        long i = 0;
        for (; i <= bytes - STEP; i += STEP) store(load(x + i).mul(factor), y + i);
        for (; i < bytes; i += 4) set(y + i, factor * get(x + i));
    }

    @Override
    public void add(long y, long p, double a, long x, long count) {
        float factor = (float) a;
        long bytes = count * 4;
        long i = 0;
        for (; i <= bytes - STEP; i += STEP) store(load(x + i).mul(factor).add(load(p + i)), y + i);
        for (; i < bytes; i += 4) set(y + i, get(p + i) + factor * get(x + i));
    }

    @Override
    public void add(long y, long p, double a, long w, double b, long x, long count) {
        float first = (float) a;
        float second = (float) b;
        long bytes = count * 4;
        long i = 0;
        for (; i <= bytes - STEP; i += STEP)
            store(load(x + i).mul(second).add(load(w + i).mul(first).add(load(p + i))), y + i);
        for (; i < bytes; i += 4) set(y + i, get(p + i) + first * get(w + i) + second * get(x + i));
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
        set(y, (float) (even + odd));
    }

    private static void store(FloatVector value, long address) {
        value.intoMemorySegment(HostMemory.ALL, address, ORDER);
    }

    private static FloatVector load(long address) {
        return FloatVector.fromMemorySegment(LANES, HostMemory.ALL, address, ORDER);
    }

    private static float get(long address) {
        return HostMemory.ALL.get(JAVA_FLOAT_UNALIGNED, address);
    }

    private static void set(long address, float value) {
        HostMemory.ALL.set(JAVA_FLOAT_UNALIGNED, address, value);
    }
}

package io.penstock.operator;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import io.penstock.runtime.HostMemory;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/** Rows of floats. */
final class RowsF32 implements Rows {
    private static final VectorSpecies<Float> LANES = FloatVector.SPECIES_PREFERRED;
    private static final long STEP = LANES.vectorByteSize();
    private static final ByteOrder ORDER = ByteOrder.nativeOrder();

    @Override
    public void dot(long a, long x, long y, long count) {
        long bytes = count * 4;
        long i = 0;
        FloatVector first = FloatVector.zero(LANES);
        FloatVector second = first;
        for (; i <= bytes - 2 * STEP; i += 2 * STEP) {
            first = load(a + i).fma(load(x + i), first);
            second = load(a + i + STEP).fma(load(x + i + STEP), second);
        }
        for (; i <= bytes - STEP; i += STEP) first = load(a + i).fma(load(x + i), first);
        float sum = first.add(second).reduceLanes(VectorOperators.ADD);
        for (; i < bytes; i += 4) sum += get(a + i) * get(x + i);
        set(y, sum);
    }

    @Override
    public void axpy(long a, boolean conjugate, long x, long y, long count) {
        float factor = get(a);
        long bytes = count * 4;
        long i = 0;
        for (; i <= bytes - STEP; i += STEP)
            load(x + i).mul(factor).add(load(y + i)).intoMemorySegment(HostMemory.ALL, y + i, ORDER);
        for (; i < bytes; i += 4) set(y + i, get(y + i) + factor * get(x + i));
    }

    @Override
    public void axpyConjugate(long a, long x, long y, long count) {
        axpy(a, false, x, y, count);
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

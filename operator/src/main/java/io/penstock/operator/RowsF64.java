package io.penstock.operator;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;

import io.penstock.runtime.HostMemory;
import java.nio.ByteOrder;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/** Rows of doubles. */
final class RowsF64 implements Rows {
    private static final VectorSpecies<Double> LANES = DoubleVector.SPECIES_PREFERRED;
    private static final long STEP = LANES.vectorByteSize();
    private static final ByteOrder ORDER = ByteOrder.nativeOrder();

    @Override
    public void dot(long a, long x, long y, long count) {
        long bytes = count * 8;
        long i = 0;
        DoubleVector first = DoubleVector.zero(LANES);
        DoubleVector second = first;
        for (; i <= bytes - 2 * STEP; i += 2 * STEP) {
            first = load(a + i).fma(load(x + i), first);
            second = load(a + i + STEP).fma(load(x + i + STEP), second);
        }
        for (; i <= bytes - STEP; i += STEP) first = load(a + i).fma(load(x + i), first);
        double sum = first.add(second).reduceLanes(VectorOperators.ADD);
        for (; i < bytes; i += 8) sum += get(a + i) * get(x + i);
        set(y, sum);
    }

    @Override
    public void axpy(long a, boolean conjugate, long x, long y, long count) {
        double factor = get(a);
        long bytes = count * 8;
        long i = 0;
        for (; i <= bytes - STEP; i += STEP)
            load(x + i).mul(factor).add(load(y + i)).intoMemorySegment(HostMemory.ALL, y + i, ORDER);
        for (; i < bytes; i += 8) set(y + i, get(y + i) + factor * get(x + i));
    }

    @Override
    public void axpyConjugate(long a, long x, long y, long count) {
        axpy(a, false, x, y, count);
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

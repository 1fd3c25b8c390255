package io.penstock.operator;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;

import io.penstock.runtime.HostMemory;

/** Rows of complex numbers of two doubles. */
final class RowsC128 implements Rows {
    @Override
    public void dot(long a, long x, long y, long count) {
        double re = 0;
        double im = 0;
        for (long i = 0; i < count * 16; i += 16) {
            double are = get(a + i);
            double aim = get(a + i + 8);
            double xre = get(x + i);
            double xim = get(x + i + 8);
            re += are * xre - aim * xim;
            im += are * xim + aim * xre;
        }
        set(y, re);
        set(y + 8, im);
    }

    @Override
    public void axpy(long a, boolean conjugate, long x, long y, long count) {
        double are = get(a);
        double aim = conjugate ? -get(a + 8) : get(a + 8);
        for (long i = 0; i < count * 16; i += 16) {
            double xre = get(x + i);
            double xim = get(x + i + 8);
            set(y + i, get(y + i) + are * xre - aim * xim);
            set(y + i + 8, get(y + i + 8) + are * xim + aim * xre);
        }
    }

    @Override
    public void axpyConjugate(long a, long x, long y, long count) {
        double are = get(a);
        double aim = get(a + 8);
        for (long i = 0; i < count * 16; i += 16) {
            double xre = get(x + i);
            double xim = -get(x + i + 8);
            set(y + i, get(y + i) + are * xre - aim * xim);
            set(y + i + 8, get(y + i + 8) + are * xim + aim * xre);
        }
    }

    private static double get(long address) {
        return HostMemory.ALL.get(JAVA_DOUBLE_UNALIGNED, address);
    }

    private static void set(long address, double value) {
        HostMemory.ALL.set(JAVA_DOUBLE_UNALIGNED, address, value);
    }
}

package io.penstock.operator;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import io.penstock.runtime.HostMemory;

/** Rows of complex numbers of two floats. */
final class RowsC64 implements Rows {
    @Override
    public void dot(long a, long x, long y, long count) {
        float re = 0;
        float im = 0;
        for (long i = 0; i < count * 8; i += 8) {
            float are = get(a + i);
            float aim = get(a + i + 4);
            float xre = get(x + i);
            float xim = get(x + i + 4);
            re += are * xre - aim * xim;
            im += are * xim + aim * xre;
        }
        set(y, re);
        set(y + 4, im);
    }

    @Override
    public void axpy(long a, boolean conjugate, long x, long y, long count) {
        float are = get(a);
        float aim = conjugate ? -get(a + 4) : get(a + 4);
        for (long i = 0; i < count * 8; i += 8) {
            float xre = get(x + i);
            float xim = get(x + i + 4);
            set(y + i, get(y + i) + are * xre - aim * xim);
            set(y + i + 4, get(y + i + 4) + are * xim + aim * xre);
        }
    }

    @Override
    public void axpyConjugate(long a, long x, long y, long count) {
        float are = get(a);
        float aim = get(a + 4);
        for (long i = 0; i < count * 8; i += 8) {
            float xre = get(x + i);
            float xim = -get(x + i + 4);
            set(y + i, get(y + i) + are * xre - aim * xim);
            set(y + i + 4, get(y + i + 4) + are * xim + aim * xre);
        }
    }

    private static float get(long address) {
        return HostMemory.ALL.get(JAVA_FLOAT_UNALIGNED, address);
    }

    private static void set(long address, float value) {
        HostMemory.ALL.set(JAVA_FLOAT_UNALIGNED, address, value);
    }
}

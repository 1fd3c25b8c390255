package io.penstock.array;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.penstock.runtime.HostMemory;
import java.lang.foreign.MemorySegment;

/**
 * Copies of runs of elements from one type and step to another.
 *
 * <p>Whole numbers wrap when they become narrower. Floating-point numbers lose their fraction and saturate when they become
 * whole; NaN becomes 0. Complex numbers lose their imaginary part when they become real.
 */
final class Convert {
    private static final MemorySegment ALL = HostMemory.ALL;

    private Convert() {}

    /** Copies {@code n} elements; steps are in bytes. */
    static void run(DType from, long x, long step, DType to, long y, long toStep, long n) {
        if (from == to) {
            copy(from.bytes(), x, step, y, toStep, n);
            return;
        }
        if (from.isInteger() && to.isInteger()) {
            whole(from, x, step, to, y, toStep, n);
            return;
        }
        real(from.real(), x, step, to.real(), y, toStep, n);
        if (!to.isComplex()) return;
        int part = to.bytes() / 2;
        if (from.isComplex()) real(from.real(), x + from.bytes() / 2, step, to.real(), y + part, toStep, n);
        else if (part == 4) for (long i = 0; i < n; i++) ALL.set(JAVA_FLOAT_UNALIGNED, y + 4 + i * toStep, 0f);
        else for (long i = 0; i < n; i++) ALL.set(JAVA_DOUBLE_UNALIGNED, y + 8 + i * toStep, 0.0);
    }

    /** Copies elements of one size. */
    static void copy(int bytes, long x, long step, long y, long toStep, long n) {
        if (step == bytes && toStep == bytes) {
            MemorySegment.copy(ALL, x, ALL, y, n * bytes);
            return;
        }
        switch (bytes) {
            case 1 -> {
                for (long i = 0; i < n; i++) ALL.set(JAVA_BYTE, y + i * toStep, ALL.get(JAVA_BYTE, x + i * step));
            }
            case 4 -> {
                for (long i = 0; i < n; i++)
                    ALL.set(JAVA_INT_UNALIGNED, y + i * toStep, ALL.get(JAVA_INT_UNALIGNED, x + i * step));
            }
            case 8 -> {
                for (long i = 0; i < n; i++)
                    ALL.set(JAVA_LONG_UNALIGNED, y + i * toStep, ALL.get(JAVA_LONG_UNALIGNED, x + i * step));
            }
            default -> {
                for (long i = 0; i < n; i++) {
                    long re = ALL.get(JAVA_LONG_UNALIGNED, x + i * step);
                    long im = ALL.get(JAVA_LONG_UNALIGNED, x + i * step + 8);
                    ALL.set(JAVA_LONG_UNALIGNED, y + i * toStep, re);
                    ALL.set(JAVA_LONG_UNALIGNED, y + i * toStep + 8, im);
                }
            }
        }
    }

    private static void whole(DType from, long x, long step, DType to, long y, long toStep, long n) {
        for (long i = 0; i < n; i++) {
            long at = x + i * step;
            long value = switch (from) {
                case U8 -> ALL.get(JAVA_BYTE, at) & 0xff;
                case I32 -> ALL.get(JAVA_INT_UNALIGNED, at);
                default -> ALL.get(JAVA_LONG_UNALIGNED, at);
            };
            at = y + i * toStep;
            switch (to) {
                case U8 -> ALL.set(JAVA_BYTE, at, (byte) value);
                case I32 -> ALL.set(JAVA_INT_UNALIGNED, at, (int) value);
                default -> ALL.set(JAVA_LONG_UNALIGNED, at, value);
            }
        }
    }

    private static void real(DType from, long x, long step, DType to, long y, long toStep, long n) {
        if (from == to) copy(from.bytes(), x, step, y, toStep, n);
        else if (from == DType.F32 && to == DType.F64) {
            for (long i = 0; i < n; i++)
                ALL.set(JAVA_DOUBLE_UNALIGNED, y + i * toStep, ALL.get(JAVA_FLOAT_UNALIGNED, x + i * step));
        } else if (from == DType.F64 && to == DType.F32) {
            for (long i = 0; i < n; i++)
                ALL.set(JAVA_FLOAT_UNALIGNED, y + i * toStep, (float) ALL.get(JAVA_DOUBLE_UNALIGNED, x + i * step));
        } else {
            for (long i = 0; i < n; i++) {
                long at = x + i * step;
                long target = y + i * toStep;
                if (from == DType.I64 && to == DType.F32)
                    ALL.set(JAVA_FLOAT_UNALIGNED, target, (float) ALL.get(JAVA_LONG_UNALIGNED, at));
                else Elements.set(to, target, Elements.re(from, at), 0);
            }
        }
    }
}

package io.penstock.array;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.penstock.runtime.HostMemory;

/** Single elements at raw host addresses, as doubles. The slow way in; loops over many elements have their own. */
final class Elements {
    private Elements() {}

    static double re(DType dtype, long address) {
        return switch (dtype) {
            case U8 -> HostMemory.ALL.get(JAVA_BYTE, address) & 0xff;
            case I32 -> HostMemory.ALL.get(JAVA_INT_UNALIGNED, address);
            case I64 -> HostMemory.ALL.get(JAVA_LONG_UNALIGNED, address);
            case F32, C64 -> HostMemory.ALL.get(JAVA_FLOAT_UNALIGNED, address);
            case F64, C128 -> HostMemory.ALL.get(JAVA_DOUBLE_UNALIGNED, address);
        };
    }

    static double im(DType dtype, long address) {
        return switch (dtype) {
            case C64 -> HostMemory.ALL.get(JAVA_FLOAT_UNALIGNED, address + 4);
            case C128 -> HostMemory.ALL.get(JAVA_DOUBLE_UNALIGNED, address + 8);
            default -> 0;
        };
    }

    static Complex complex(DType dtype, long address) {
        return new Complex(re(dtype, address), im(dtype, address));
    }

    /** The element as a whole number, with all of its digits where it is one. */
    static long whole(DType dtype, long address) {
        return dtype == DType.I64 ? HostMemory.ALL.get(JAVA_LONG_UNALIGNED, address) : (long) re(dtype, address);
    }

    static void set(DType dtype, long address, double re, double im) {
        switch (dtype) {
            case U8 -> HostMemory.ALL.set(JAVA_BYTE, address, (byte) Math.clamp((long) re, 0, 255));
            case I32 -> HostMemory.ALL.set(JAVA_INT_UNALIGNED, address, (int) re);
            case I64 -> HostMemory.ALL.set(JAVA_LONG_UNALIGNED, address, (long) re);
            case F32 -> HostMemory.ALL.set(JAVA_FLOAT_UNALIGNED, address, (float) re);
            case F64 -> HostMemory.ALL.set(JAVA_DOUBLE_UNALIGNED, address, re);
            case C64 -> {
                HostMemory.ALL.set(JAVA_FLOAT_UNALIGNED, address, (float) re);
                HostMemory.ALL.set(JAVA_FLOAT_UNALIGNED, address + 4, (float) im);
            }
            case C128 -> {
                HostMemory.ALL.set(JAVA_DOUBLE_UNALIGNED, address, re);
                HostMemory.ALL.set(JAVA_DOUBLE_UNALIGNED, address + 8, im);
            }
        }
    }
}

package io.penstock.kernel;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.penstock.kernel.ir.Atomic;
import io.penstock.kernel.ir.Value;
import io.penstock.kernel.jvm.Atomics;
import io.penstock.runtime.HostMemory;
import java.util.List;

/** Elements of views, one at a time and by any number of indices, as boxed numbers of the intermediate form. */
final class Elements {
    private Elements() {}

    private static long address(ElementView view, long[] i) {
        int shift = switch (view) {
            case Bytes _ -> 0;
            case Ints _, Floats _ -> 2;
            case Longs _, Doubles _, ComplexFloats _ -> 3;
            case ComplexDoubles _ -> 4;
        };
        return switch (i.length) {
            case 1 -> view.at(i[0], shift);
            case 2 -> view.at(i[0], i[1], shift);
            default -> view.at(i[0], i[1], i[2], shift);
        };
    }

    /** An element, or a part of a complex one. */
    static Object load(ElementView view, long[] index, int part) {
        long address = address(view, index);
        return switch (view) {
            case Bytes _ -> (int) HostMemory.ALL.get(JAVA_BYTE, address);
            case Ints _ -> HostMemory.ALL.get(JAVA_INT_UNALIGNED, address);
            case Longs _ -> HostMemory.ALL.get(JAVA_LONG_UNALIGNED, address);
            case Floats _ -> HostMemory.ALL.get(JAVA_FLOAT_UNALIGNED, address);
            case Doubles _ -> HostMemory.ALL.get(JAVA_DOUBLE_UNALIGNED, address);
            case ComplexFloats _ -> HostMemory.ALL.get(JAVA_FLOAT_UNALIGNED, address + part * (long) Float.BYTES);
            case ComplexDoubles _ -> HostMemory.ALL.get(JAVA_DOUBLE_UNALIGNED, address + part * (long) Double.BYTES);
        };
    }

    /** Sets an element, or a part of a complex one; gives the number. */
    static Object store(ElementView view, long[] index, int part, Object given) {
        long address = address(view, index);
        switch (view) {
            case Bytes _ -> HostMemory.ALL.set(JAVA_BYTE, address, (byte) (int) (Integer) given);
            case Ints _ -> HostMemory.ALL.set(JAVA_INT_UNALIGNED, address, (Integer) given);
            case Longs _ -> HostMemory.ALL.set(JAVA_LONG_UNALIGNED, address, (Long) given);
            case Floats _ -> HostMemory.ALL.set(JAVA_FLOAT_UNALIGNED, address, (Float) given);
            case Doubles _ -> HostMemory.ALL.set(JAVA_DOUBLE_UNALIGNED, address, (Double) given);
            case ComplexFloats _ ->
                HostMemory.ALL.set(JAVA_FLOAT_UNALIGNED, address + part * (long) Float.BYTES, (Float) given);
            case ComplexDoubles _ ->
                HostMemory.ALL.set(JAVA_DOUBLE_UNALIGNED, address + part * (long) Double.BYTES, (Double) given);
        }
        return given;
    }

    /** Changes an element in one step; gives what it was. */
    static Object change(ElementView view, long[] index, Value atomic, List<Object> given) {
        long address = address(view, index);
        Atomic change = atomic.attribute(Atomic.class);
        return switch (view) {
            case Ints _ -> ofInt(address, change, given);
            case Longs _ -> ofLong(address, change, given);
            case Floats _ -> ofFloat(address, change, (Float) given.getFirst());
            case Doubles _ -> ofDouble(address, change, (Double) given.getFirst());
            default -> throw new IllegalArgumentException("no atomic changes of " + view);
        };
    }

    private static int ofInt(long address, Atomic change, List<Object> given) {
        int value = (Integer) given.getFirst();
        return switch (change) {
            case ADD -> Atomics.add(address, value);
            case MIN -> Atomics.min(address, value);
            case MAX -> Atomics.max(address, value);
            case AND -> Atomics.and(address, value);
            case OR -> Atomics.or(address, value);
            case XOR -> Atomics.xor(address, value);
            case EXCHANGE -> Atomics.exchange(address, value);
            case COMPARE_EXCHANGE -> Atomics.compareExchange(address, value, (Integer) given.get(1));
        };
    }

    private static long ofLong(long address, Atomic change, List<Object> given) {
        long value = (Long) given.getFirst();
        return switch (change) {
            case ADD -> Atomics.add(address, value);
            case MIN -> Atomics.min(address, value);
            case MAX -> Atomics.max(address, value);
            case AND -> Atomics.and(address, value);
            case OR -> Atomics.or(address, value);
            case XOR -> Atomics.xor(address, value);
            case EXCHANGE -> Atomics.exchange(address, value);
            case COMPARE_EXCHANGE -> Atomics.compareExchange(address, value, (Long) given.get(1));
        };
    }

    private static float ofFloat(long address, Atomic change, float value) {
        return switch (change) {
            case ADD -> Atomics.add(address, value);
            case MIN -> Atomics.min(address, value);
            case MAX -> Atomics.max(address, value);
            case EXCHANGE -> Atomics.exchange(address, value);
            default -> throw new IllegalArgumentException("no " + change.method() + " of float");
        };
    }

    private static double ofDouble(long address, Atomic change, double value) {
        return switch (change) {
            case ADD -> Atomics.add(address, value);
            case MIN -> Atomics.min(address, value);
            case MAX -> Atomics.max(address, value);
            case EXCHANGE -> Atomics.exchange(address, value);
            default -> throw new IllegalArgumentException("no " + change.method() + " of double");
        };
    }
}

package io.penstock.kernel.jvm;

import io.penstock.runtime.HostMemory;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/** Atomic changes of numbers in host memory, which must be aligned to their size. Each gives what the number was. */
public final class Atomics {
    private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

    private Atomics() {}

    /** Adds a value. */
    public static int add(long address, int value) {
        return (int) INT.getAndAdd(HostMemory.ALL, address, value);
    }

    /** Keeps the bits also set in a value. */
    public static int and(long address, int value) {
        return (int) INT.getAndBitwiseAnd(HostMemory.ALL, address, value);
    }

    /** Sets the bits of a value. */
    public static int or(long address, int value) {
        return (int) INT.getAndBitwiseOr(HostMemory.ALL, address, value);
    }

    /** Flips the bits of a value. */
    public static int xor(long address, int value) {
        return (int) INT.getAndBitwiseXor(HostMemory.ALL, address, value);
    }

    /** Sets a value. */
    public static int exchange(long address, int value) {
        return (int) INT.getAndSet(HostMemory.ALL, address, value);
    }

    /** Sets a value where the number, or its bits, are as expected. */
    public static int compareExchange(long address, int expected, int value) {
        return (int) INT.compareAndExchange(HostMemory.ALL, address, expected, value);
    }

    /** Takes the lesser of the number and a value, as {@code Math.min}. */
    public static int min(long address, int value) {
        int was = (int) INT.getVolatile(HostMemory.ALL, address);
        while (value < was) {
            int now = compareExchange(address, was, value);
            if (now == was) break;
            was = now;
        }
        return was;
    }

    /** Takes the greater of the number and a value, as {@code Math.max}. */
    public static int max(long address, int value) {
        int was = (int) INT.getVolatile(HostMemory.ALL, address);
        while (value > was) {
            int now = compareExchange(address, was, value);
            if (now == was) break;
            was = now;
        }
        return was;
    }

    /** Adds a value. */
    public static long add(long address, long value) {
        return (long) LONG.getAndAdd(HostMemory.ALL, address, value);
    }

    /** Keeps the bits also set in a value. */
    public static long and(long address, long value) {
        return (long) LONG.getAndBitwiseAnd(HostMemory.ALL, address, value);
    }

    /** Sets the bits of a value. */
    public static long or(long address, long value) {
        return (long) LONG.getAndBitwiseOr(HostMemory.ALL, address, value);
    }

    /** Flips the bits of a value. */
    public static long xor(long address, long value) {
        return (long) LONG.getAndBitwiseXor(HostMemory.ALL, address, value);
    }

    /** Sets a value. */
    public static long exchange(long address, long value) {
        return (long) LONG.getAndSet(HostMemory.ALL, address, value);
    }

    /** Sets a value where the number, or its bits, are as expected. */
    public static long compareExchange(long address, long expected, long value) {
        return (long) LONG.compareAndExchange(HostMemory.ALL, address, expected, value);
    }

    /** Takes the lesser of the number and a value, as {@code Math.min}. */
    public static long min(long address, long value) {
        long was = (long) LONG.getVolatile(HostMemory.ALL, address);
        while (value < was) {
            long now = compareExchange(address, was, value);
            if (now == was) break;
            was = now;
        }
        return was;
    }

    /** Takes the greater of the number and a value, as {@code Math.max}. */
    public static long max(long address, long value) {
        long was = (long) LONG.getVolatile(HostMemory.ALL, address);
        while (value > was) {
            long now = compareExchange(address, was, value);
            if (now == was) break;
            was = now;
        }
        return was;
    }

    /** Adds a value. */
    public static float add(long address, float value) {
        int bits = (int) INT.getVolatile(HostMemory.ALL, address);
        while (true) {
            float was = Float.intBitsToFloat(bits);
            int now = compareExchange(address, bits, Float.floatToRawIntBits(was + value));
            if (now == bits) return was;
            bits = now;
        }
    }

    /** Takes the lesser of the number and a value, as {@code Math.min}. */
    public static float min(long address, float value) {
        int bits = (int) INT.getVolatile(HostMemory.ALL, address);
        while (true) {
            float was = Float.intBitsToFloat(bits);
            int now = compareExchange(address, bits, Float.floatToRawIntBits(Math.min(was, value)));
            if (now == bits) return was;
            bits = now;
        }
    }

    /** Takes the greater of the number and a value, as {@code Math.max}. */
    public static float max(long address, float value) {
        int bits = (int) INT.getVolatile(HostMemory.ALL, address);
        while (true) {
            float was = Float.intBitsToFloat(bits);
            int now = compareExchange(address, bits, Float.floatToRawIntBits(Math.max(was, value)));
            if (now == bits) return was;
            bits = now;
        }
    }

    /** Sets a value. */
    public static float exchange(long address, float value) {
        return Float.intBitsToFloat(exchange(address, Float.floatToRawIntBits(value)));
    }

    /** Adds a value. */
    public static double add(long address, double value) {
        long bits = (long) LONG.getVolatile(HostMemory.ALL, address);
        while (true) {
            double was = Double.longBitsToDouble(bits);
            long now = compareExchange(address, bits, Double.doubleToRawLongBits(was + value));
            if (now == bits) return was;
            bits = now;
        }
    }

    /** Takes the lesser of the number and a value, as {@code Math.min}. */
    public static double min(long address, double value) {
        long bits = (long) LONG.getVolatile(HostMemory.ALL, address);
        while (true) {
            double was = Double.longBitsToDouble(bits);
            long now = compareExchange(address, bits, Double.doubleToRawLongBits(Math.min(was, value)));
            if (now == bits) return was;
            bits = now;
        }
    }

    /** Takes the greater of the number and a value, as {@code Math.max}. */
    public static double max(long address, double value) {
        long bits = (long) LONG.getVolatile(HostMemory.ALL, address);
        while (true) {
            double was = Double.longBitsToDouble(bits);
            long now = compareExchange(address, bits, Double.doubleToRawLongBits(Math.max(was, value)));
            if (now == bits) return was;
            bits = now;
        }
    }

    /** Sets a value. */
    public static double exchange(long address, double value) {
        return Double.longBitsToDouble(exchange(address, Double.doubleToRawLongBits(value)));
    }
}

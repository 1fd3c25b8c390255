package io.penstock.kernel;

import io.penstock.runtime.Buffer;
import io.penstock.runtime.Device;
import io.penstock.runtime.MemoryKind;

/** Views over new memory for tests; a scope of the test frees them. */
final class Memory {
    private Memory() {}

    static Buffer bytes(long bytes) {
        Buffer buffer = Device.jvm().allocate(bytes, MemoryKind.HOST);
        buffer.segment().fill((byte) 0);
        return buffer;
    }

    private static long product(long[] shape) {
        long product = 1;
        for (long extent : shape) product *= extent;
        return product;
    }

    static Ints ints(long... shape) {
        return Ints.of(bytes(4 * product(shape)), shape);
    }

    static Longs longs(long... shape) {
        return Longs.of(bytes(8 * product(shape)), shape);
    }

    static Floats floats(long... shape) {
        return Floats.of(bytes(4 * product(shape)), shape);
    }

    static Doubles doubles(long... shape) {
        return Doubles.of(bytes(8 * product(shape)), shape);
    }
}

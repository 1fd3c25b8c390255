package io.penstock.bench.copy;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import io.penstock.runtime.Box;
import io.penstock.runtime.Buffer;
import io.penstock.runtime.Device;
import io.penstock.runtime.HostMemory;
import io.penstock.runtime.MemoryKind;
import io.penstock.runtime.Queue;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * The two arrays of the case: floats, {@code rows} rows of {@code columns} columns, one column after another.
 *
 * @param to what is written
 * @param from what is read
 */
record Columns(Buffer to, Buffer from, long rows, int columns) implements AutoCloseable {
    private static final long CHUNK = 1 << 20;
    private static final int CHECKS = 32;

    /** New arrays, the one to be read filled with numbers that are known. */
    static Columns allocate(Device device, MemoryKind kind, long rows, int columns) {
        long bytes = columns * rows * Float.BYTES;
        Buffer to = device.allocate(bytes, kind);
        Buffer from = device.allocate(bytes, kind);
        Columns made = new Columns(to, from, rows, columns);
        made.fill();
        return made;
    }

    Device device() {
        return to.device();
    }

    /** How many bytes a copy of everything reads and writes. */
    double traffic() {
        return 2.0 * to.bytes();
    }

    /** Something for each column. */
    <T> List<T> each(IntFunction<T> make) {
        return IntStream.range(0, columns).mapToObj(make).toList();
    }

    Buffer column(Buffer whole, int column) {
        long bytes = rows * Float.BYTES;
        return whole.slice(column * bytes, bytes);
    }

    private static float value(long index) {
        return (float) ((index * 0x9E3779B97F4A7C15L) >>> 40);
    }

    private void fill() {
        Queue queue = device().newQueue();
        try (Buffer stage = device().allocate(CHUNK, MemoryKind.PINNED)) {
            for (long at = 0; at < from.bytes(); at += CHUNK) {
                long bytes = Math.min(CHUNK, from.bytes() - at);
                long address = stage.segment().address();
                for (long k = 0; k < bytes; k += Float.BYTES)
                    HostMemory.ALL.set(JAVA_FLOAT, address + k, value((at + k) / Float.BYTES));
                queue.copy(stage.slice(0, bytes), from.slice(at, bytes));
            }
            queue.await();
        }
    }

    /** Overwrites what is to be written, so that a copy that does not happen is noticed. */
    void spoil() {
        Queue queue = device().newQueue();
        queue.fill(to, Box.contiguous(0, to.bytes()), 0xFF, 0, 1);
        queue.await();
    }

    /**
     * Looks at both ends of each column and at places between.
     *
     * @throws IllegalStateException naming the first element that was not copied
     */
    void check() {
        Queue queue = device().newQueue();
        SplittableRandom random = new SplittableRandom(1);
        try (Buffer stage = device().allocate(CHUNK, MemoryKind.PINNED)) {
            for (int column = 0; column < columns; column++) {
                check(queue, stage, column * rows);
                check(queue, stage, (column + 1) * rows - Math.min(rows, CHUNK / Float.BYTES));
            }
            for (int i = 0; i < CHECKS; i++) check(queue, stage, random.nextLong(columns * rows));
        }
    }

    private void check(Queue queue, Buffer stage, long first) {
        long bytes = Math.min(CHUNK, to.bytes() - first * Float.BYTES);
        queue.copy(to.slice(first * Float.BYTES, bytes), stage.slice(0, bytes));
        long address = stage.segment().address();
        for (long k = 0; k < bytes; k += Float.BYTES) {
            long index = first + k / Float.BYTES;
            float found = HostMemory.ALL.get(JAVA_FLOAT, address + k);
            if (found != value(index))
                throw new IllegalStateException("row " + index % rows + " of column " + index / rows + " is " + found
                        + " after the copy; expected " + value(index));
        }
    }

    @Override
    public void close() {
        to.close();
        from.close();
    }
}

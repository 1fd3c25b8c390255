package io.penstock.comm;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.penstock.array.NDArray;
import io.penstock.runtime.HostMemory;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Copies between arrays of one size and element type, whatever their shapes and strides, in C order. */
final class ArrayCopy {
    private static final long BLOCK = 16 << 10;

    private ArrayCopy() {}

    static void copy(NDArray to, NDArray from, RankState me) {
        long size = from.size();
        if (size == 0) return;
        if (!to.buffer().isHostAddressable() || !from.buffer().isHostAddressable()) {
            boolean alike = Arrays.equals(to.shape(), from.shape());
            to.set(alike ? from : from.contiguous().reshape(to.shape()));
            return;
        }
        if (to.isContiguous()) {
            if (from.isContiguous() && from.address() == to.address()) return;
            pack(from, 0, size, to.address());
        } else if (from.isContiguous()) {
            unpack(to, 0, size, from.address());
        } else if (Arrays.equals(to.shape(), from.shape())) {
            to.assign(from);
        } else {
            long scratch = me.scratch(BLOCK);
            long step = BLOCK / from.dtype().bytes();
            for (long at = 0; at < size; at += step) {
                long end = Math.min(size, at + step);
                pack(from, at, end, scratch);
                unpack(to, at, end, scratch);
            }
        }
    }

    /** Copies the elements {@code from} to {@code to} (exclusive) of an array, in C order, to an address. */
    static void pack(NDArray array, long from, long to, long address) {
        int bytes = array.dtype().bytes();
        if (array.isContiguous()) move(array.address() + from * bytes, address, (to - from) * bytes);
        else new Runs(array).walk(from, to, address, true);
    }

    /** Copies elements from an address to the elements {@code from} to {@code to} (exclusive) of an array, in C order. */
    static void unpack(NDArray array, long from, long to, long address) {
        int bytes = array.dtype().bytes();
        if (array.isContiguous()) move(address, array.address() + from * bytes, (to - from) * bytes);
        else new Runs(array).walk(from, to, address, false);
    }

    private static void move(long from, long to, long bytes) {
        MemorySegment.copy(HostMemory.ALL, from, HostMemory.ALL, to, bytes);
    }

    private static void element(long from, long to, int bytes) {
        switch (bytes) {
            case 1 -> HostMemory.ALL.set(JAVA_BYTE, to, HostMemory.ALL.get(JAVA_BYTE, from));
            case 4 -> HostMemory.ALL.set(JAVA_INT_UNALIGNED, to, HostMemory.ALL.get(JAVA_INT_UNALIGNED, from));
            case 8 -> HostMemory.ALL.set(JAVA_LONG_UNALIGNED, to, HostMemory.ALL.get(JAVA_LONG_UNALIGNED, from));
            default -> move(from, to, bytes);
        }
    }

    /** The elements of a strided array as runs along its last axis. */
    private static final class Runs {
        private final long[] shape;
        private final long[] strides;
        private final long base;
        private final int bytes;

        Runs(NDArray array) {
            this.shape = array.shape();
            this.bytes = array.dtype().bytes();
            this.strides = array.strides();
            this.base = array.address();
        }

        void walk(long from, long to, long address, boolean pack) {
            int last = shape.length - 1;
            long[] index = indexOf(from);
            long packed = address;
            long left = to - from;
            while (left > 0) {
                long run = Math.min(left, shape[last] - index[last]);
                run(addressOf(index), packed, run, strides[last] * bytes, pack);
                packed += run * bytes;
                left -= run;
                index[last] += run;
                for (int k = last; k > 0 && index[k] == shape[k]; k--) {
                    index[k] = 0;
                    index[k - 1]++;
                }
            }
        }

        private void run(long strided, long packed, long count, long step, boolean pack) {
            if (step == bytes) {
                if (pack) move(strided, packed, count * bytes);
                else move(packed, strided, count * bytes);
                return;
            }
            for (long i = 0; i < count; i++) {
                if (pack) element(strided + i * step, packed + i * bytes, bytes);
                else element(packed + i * bytes, strided + i * step, bytes);
            }
        }

        private long[] indexOf(long position) {
            long[] index = new long[shape.length];
            long rest = position;
            for (int k = shape.length - 1; k >= 0; k--) {
                index[k] = rest % shape[k];
                rest /= shape[k];
            }
            return index;
        }

        private long addressOf(long[] index) {
            long at = 0;
            for (int k = 0; k < index.length; k++) at += index[k] * strides[k];
            return base + at * bytes;
        }
    }
}

package io.penstock.runtime.jvm;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import io.penstock.runtime.Box;
import io.penstock.runtime.Buffer;
import io.penstock.runtime.Device;
import io.penstock.runtime.HostMemory;
import io.penstock.runtime.Queue;
import java.lang.foreign.MemorySegment;

/** A queue whose work runs on the JVM's cores, on memory that the host can address. */
abstract class HostQueue extends Queue {
    /** The fewest bytes worth a core of their own. */
    private static final long GRAIN = 1L << 20;

    private final WorkerPool workers;

    HostQueue(Device device, WorkerPool workers, boolean apart) {
        super(device, apart);
        this.workers = workers;
    }

    final WorkerPool workers() {
        return workers;
    }

    @Override
    public final void parallel(long count, long grain, RangeBody body) {
        workers.parallel(count, grain, body);
    }

    @Override
    protected final boolean reaches(Buffer buffer) {
        return buffer.isHostAddressable();
    }

    @Override
    protected final void copyNow(Buffer from, Box source, Buffer to, Box target) {
        long read = from.hostAddress();
        long written = to.hostAddress();
        if (source.isContiguous() && target.isContiguous()) {
            parallel(
                    source.bytes(),
                    GRAIN,
                    (begin, end) ->
                            copy(read + source.offset() + begin, written + target.offset() + begin, end - begin));
            return;
        }
        long rows = source.rows();
        parallel(rows * source.planes(), Math.max(1, GRAIN / source.rowBytes()), (begin, end) -> {
            for (long k = begin; k < end; k++) copy(read + row(source, k), written + row(target, k), source.rowBytes());
        });
    }

    /** Where the k-th row of all planes begins. */
    private static long row(Box box, long k) {
        return box.offset() + k / box.rows() * box.planeStride() + k % box.rows() * box.rowStride();
    }

    private static void copy(long from, long to, long bytes) {
        MemorySegment.copy(HostMemory.ALL, from, HostMemory.ALL, to, bytes);
    }

    @Override
    protected final void fillNow(Buffer to, Box target, long low, long high, int width) {
        long address = to.hostAddress();
        long rows = target.rows();
        parallel(rows * target.planes(), Math.max(1, GRAIN / target.rowBytes()), (begin, end) -> {
            for (long k = begin; k < end; k++) fill(address + row(target, k), target.rowBytes(), low, high, width);
        });
    }

    private static void fill(long address, long bytes, long low, long high, int width) {
        switch (width) {
            case 1 -> HostMemory.ALL.asSlice(address, bytes).fill((byte) low);
            case 2 -> {
                for (long i = 0; i < bytes; i += 2) HostMemory.ALL.set(JAVA_SHORT_UNALIGNED, address + i, (short) low);
            }
            case 4 -> {
                for (long i = 0; i < bytes; i += 4) HostMemory.ALL.set(JAVA_INT_UNALIGNED, address + i, (int) low);
            }
            case 8 -> {
                for (long i = 0; i < bytes; i += 8) HostMemory.ALL.set(JAVA_LONG_UNALIGNED, address + i, low);
            }
            default -> {
                for (long i = 0; i < bytes; i += 16) {
                    HostMemory.ALL.set(JAVA_LONG_UNALIGNED, address + i, low);
                    HostMemory.ALL.set(JAVA_LONG_UNALIGNED, address + i + 8, high);
                }
            }
        }
    }
}

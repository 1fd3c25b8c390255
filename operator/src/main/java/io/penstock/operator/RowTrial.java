package io.penstock.operator;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.runtime.Scope;
import io.penstock.runtime.jvm.JvmDevice;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A contest between a {@link RowKernel} and the loops that it replaces.
 *
 * <p>Until the JVM has compiled it, a kernel is far slower than the loops. So the loops go on; when they have done so much that it is worth it, a
 * thread in the background runs both on arrays of its own, and the kernel is used once it was the faster one several times in a row.
 */
final class RowTrial {
    /** How many rows the loops have done when it is worth while: about a tenth of a second's. */
    private static final long WORTH_ROWS = 1 << 20;

    private static final long ELEMENTS = 1 << 15;
    private static final long PART_NANOS = 200_000;

    /** What the contest may take. */
    private static final long CHANCE_NANOS = 4_000_000_000L;

    /** How often in a row the kernel must have been faster, and by what part of the loops' time. */
    private static final int ENOUGH = 5;

    private static final double FASTER = 0.9;

    /** How many times slower than in the contest launches may be, which may find their arrays in memory only; and how many of so many. */
    private static final double SLOWER = 3;

    private static final int WATCHED = 64;
    private static final int MOST_DISAPPOINTMENTS = 20;

    /** Loaded by the contest's thread: to load the JVM's management takes five to ten milliseconds, which no operator is to wait. */
    private static final class Clock {
        private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

        private Clock() {}

        /** What the calling thread has taken so far. */
        static long nanos() {
            return THREADS.getCurrentThreadCpuTime();
        }
    }

    /** How far the contest has come. */
    private enum State {
        LOOPS,
        RUNNING,
        WON,
        LOST
    }

    private final RowKernel kernel;
    private final DType real;
    private final boolean accumulate;
    private final AtomicLong rows = new AtomicLong();
    private volatile State state = State.LOOPS;
    private volatile double nanosPerElement;

    /** Racing updates lose one another, which does no harm. */
    private int watched;

    private int disappointments;

    RowTrial(RowKernel kernel, DType real, boolean accumulate) {
        this.kernel = kernel;
        this.real = real;
        this.accumulate = accumulate;
    }

    /** Computes the kernel's rows if it has won; else says that the loops must. */
    boolean apply(NDArray x, NDArray y) {
        State now = state;
        if (now == State.LOOPS) {
            long before = rows.getAndAdd(kernel.rows());
            if (before < WORTH_ROWS && before + kernel.rows() >= WORTH_ROWS) begin();
        }
        if (now != State.WON) return false;
        if (watched < WATCHED) watch(x, y);
        else kernel.apply(x, y, accumulate);
        return true;
    }

    private void watch(NDArray x, NDArray y) {
        watched++;
        long begin = System.nanoTime();
        kernel.apply(x, y, accumulate);
        double each = (System.nanoTime() - begin) / (double) kernel.elements();
        if (each > SLOWER * nanosPerElement && ++disappointments > MOST_DISAPPOINTMENTS) state = State.LOST;
    }

    private void begin() {
        state = State.RUNNING;
        Thread.ofPlatform().daemon().name("penstock stencil trial").start(() -> {
            try {
                state = wins() ? State.WON : State.LOST;
            } catch (RuntimeException | OutOfMemoryError e) {
                // Such as too little memory for the arrays: the loops go on.
                state = State.LOST;
            }
        });
    }

    /** Whether the kernel comes to be faster. */
    private boolean wins() {
        boolean[] won = new boolean[1];
        JvmDevice.instance().sharing(JvmDevice.instance().threads(), () -> {
            try (Scope _ = Scope.open()) {
                RowKernel fewer = kernel.ofFewer(ELEMENTS);
                Sweep loops = new Sweep(real, fewer.axes());
                NDArray x = fewer.argument();
                NDArray y = fewer.result();
                won[0] = compare(
                        () -> loops.run(y.address(), x.addressToRead(), accumulate, false),
                        () -> fewer.apply(x, y, accumulate),
                        fewer.elements());
            }
        });
        return won[0];
    }

    private boolean compare(Runnable loops, Runnable launches, long elements) {
        long end = Clock.nanos() + CHANCE_NANOS;
        int inARow = 0;
        while (inARow < ENOUGH) {
            if (Clock.nanos() > end) return false;
            double before = nanos(loops);
            double now = nanos(launches);
            inARow = now < FASTER * before ? inARow + 1 : 0;
            nanosPerElement = now / elements;
        }
        return true;
    }

    /** What one run takes of this thread's time. */
    private static double nanos(Runnable work) {
        long begin = Clock.nanos();
        long now = begin;
        int runs = 0;
        while (now - begin < PART_NANOS) {
            work.run();
            runs++;
            now = Clock.nanos();
        }
        return (now - begin) / (double) runs;
    }
}

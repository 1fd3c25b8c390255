package io.penstock.kernel;

import io.penstock.kernel.ir.KernelCode;
import io.penstock.kernel.jvm.JvmKernel;
import io.penstock.kernel.jvm.KernelFault;
import io.penstock.kernel.jvm.LaunchShape;
import io.penstock.kernel.jvm.Scratch;
import io.penstock.runtime.Queue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The compiled code of one kernel for launches of one shape, and whether it is used.
 *
 * <p>Until the JVM has compiled it in turn, code in vectors is a hundred times slower than the kernel as it is, and seldom it
 * stays slower for good. So launches go on as before and do a small part in the new code, until that has been the faster
 * one, or has had its chance.
 */
final class TieredCode {
    private static final System.Logger LOG = System.getLogger("io.penstock.kernel");

    /** What compiled code may take before it has won; the JVM needs a third of that to compile it. */
    private static final long CHANCE_NANOS = 1_500_000_000;

    /** How long a part in the new code should take, and the fewest items of one that counts. */
    private static final long PART_NANOS = 100_000;

    private static final long FEWEST = 256;

    private final Implementation implementation;
    private final JvmKernel code;
    private final AtomicBoolean tried = new AtomicBoolean();
    private volatile boolean chosen;
    private volatile boolean refused;
    private volatile long part = FEWEST;
    private final AtomicLong triedNanos = new AtomicLong();
    private final AtomicLong otherNanos = new AtomicLong();

    private TieredCode(Implementation implementation, JvmKernel code, boolean chosen) {
        this.implementation = implementation;
        this.code = code;
        this.chosen = chosen;
    }

    /** A kernel's code for a shape; null where it cannot be compiled. */
    static @Nullable TieredCode of(Implementation implementation, KernelCode code, LaunchShape shape) {
        if (!JvmKernel.isPossible(code, shape)) return null;
        Tier tier = Tier.ASKED;
        JvmKernel compiled = tier == Tier.SCALAR ? JvmKernel.scalar(code, shape) : JvmKernel.vector(code, shape);
        if (!compiled.reason().isEmpty())
            LOG.log(
                    System.Logger.Level.DEBUG,
                    "kernel {0} does not run in vectors: {1}",
                    implementation.name(),
                    compiled.reason());
        return new TieredCode(implementation, compiled, tier != Tier.MEASURED);
    }

    /** Code that is used from the first launch on. */
    static TieredCode atOnce(Implementation implementation, JvmKernel code) {
        return new TieredCode(implementation, code, true);
    }

    /**
     * Runs some items of a launch.
     *
     * @param numbers the launch, as the compiled code sees it
     * @param plain runs items as before
     * @param timing knows how long an item takes that way
     */
    void run(Object[] values, LaunchNumbers numbers, long from, long to, Queue.RangeBody plain, LaunchTiming timing) {
        if (chosen) {
            long start = System.nanoTime();
            compiled(values, numbers, from, to);
            timing.learn(to - from, System.nanoTime() - start);
            return;
        }
        long middle = from;
        if (!refused && triedNanos.get() <= otherNanos.get() / 3 + PART_NANOS && tried.compareAndSet(false, true))
            try {
                middle = Math.min(to, from + part);
                attempt(values, numbers, from, middle, timing.leastNanosPerItem());
            } finally {
                tried.set(false);
            }
        if (middle == to) return;
        long start = System.nanoTime();
        plain.run(middle, to);
        otherNanos.addAndGet(System.nanoTime() - start);
    }

    private void attempt(Object[] values, LaunchNumbers numbers, long from, long to, double nanosPerItem) {
        long start = System.nanoTime();
        compiled(values, numbers, from, to);
        long nanos = System.nanoTime() - start;
        triedNanos.addAndGet(nanos);
        if (nanos < PART_NANOS / 2 && to - from == part) part = 2 * part;
        else if (nanos > 2 * PART_NANOS) part = Math.max(FEWEST, part / 2);
        if (to - from >= FEWEST / 2 && nanos < nanosPerItem * (to - from)) {
            chosen = true;
        } else if (triedNanos.get() > CHANCE_NANOS) {
            refused = true;
            LOG.log(
                    System.Logger.Level.DEBUG,
                    "kernel {0} goes on as plain Java: compiled, an item took {1} ns, else {2}",
                    implementation.name(),
                    (double) nanos / (to - from),
                    nanosPerItem);
        }
    }

    /** Runs some items, or groups, in the compiled code. */
    void compiled(Object[] values, LaunchNumbers numbers, long from, long to) {
        try {
            code.loop().run(numbers.words(), Scratch.address(numbers.scratchBytes()), from, to);
        } catch (KernelFault fault) {
            ClassLoader loader = implementation.declaring().getClassLoader();
            throw Faulted.failure(code.sites().get(fault.site()), fault, values, loader);
        }
    }
}

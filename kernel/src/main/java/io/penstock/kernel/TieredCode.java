package io.penstock.kernel;

import io.penstock.kernel.ir.KernelCode;
import io.penstock.kernel.jvm.JvmKernel;
import io.penstock.kernel.jvm.KernelFault;
import io.penstock.kernel.jvm.LaunchNeeds;
import io.penstock.kernel.jvm.LaunchShape;
import io.penstock.kernel.jvm.LaunchWords;
import io.penstock.kernel.jvm.Scratch;
import org.jspecify.annotations.Nullable;

/** The compiled code of one kernel for launches of one shape, and whether it is used. */
final class TieredCode {
    private static final System.Logger LOG = System.getLogger("io.penstock.kernel");

    /**
     * How often the loop is called for a few items only, at first: the JVM compiles a method well that is called often. A loop
     * that goes on for long within one call it compiles in a makeshift way, with vectors on the heap.
     */
    private static final int MANY = 2000;

    private static final long FEW = 256;

    /** Of longer rows, their ends take no time. */
    private static final long LONG_ROW = 1024;

    private final Implementation implementation;
    private final JvmKernel code;
    private final LaunchNeeds needs;
    /** Null if the code is used from the first launch on. */
    private final @Nullable Trial trial;

    /** Racing updates lose one another, which does no harm. */
    private int calls;

    private TieredCode(Implementation implementation, KernelCode kernel, JvmKernel code, @Nullable Trial trial) {
        this.implementation = implementation;
        this.code = code;
        this.needs = LaunchNeeds.of(kernel);
        this.trial = trial;
    }

    /** A kernel's code for a shape; null where it cannot be compiled, or will not be faster. */
    static @Nullable TieredCode of(Implementation implementation, KernelCode code, Tier tier, LaunchShape shape) {
        if (!JvmKernel.isPossible(code, shape)) return null;
        JvmKernel compiled = tier == Tier.SCALAR ? JvmKernel.scalar(code, shape) : JvmKernel.vector(code, shape);
        if (!compiled.reason().isEmpty())
            LOG.log(
                    System.Logger.Level.DEBUG,
                    "kernel {0} does not run in vectors: {1}",
                    implementation.name(),
                    compiled.reason());
        if (tier != Tier.MEASURED) return new TieredCode(implementation, code, compiled, null);
        // One item at a time is what the JVM makes of the kernel itself.
        if (compiled.lanes() == 1 || compiled.isLong()) return null;
        Trial trial = new Trial(implementation.name(), implementation.timing().nanosPerItem());
        return new TieredCode(implementation, code, compiled, trial);
    }

    /** Code that is used from the first launch on. */
    static TieredCode atOnce(Implementation implementation, KernelCode kernel, JvmKernel code) {
        return new TieredCode(implementation, kernel, code, null);
    }

    /** A launch as the compiled code sees it. */
    LaunchNumbers numbers(Object[] values, Range range) {
        return LaunchNumbers.of(needs, values, range);
    }

    /** Runs some items of a launch. */
    void run(JvmLaunch launch, long from, long to) {
        if (trial != null && !trial.isWon()) {
            trial.run(launch, from, to);
            if (trial.isWon()) launch.timing().restart();
            return;
        }
        if (!launch.timing().isDue()) {
            launch.compiled(from, to);
            return;
        }
        long nanos = launch.time(true, from, to);
        launch.timing().learn(to - from, nanos);
        if (trial != null) trial.watch(to - from, nanos);
    }

    /** At least so many items: whole rows, unless these are long. */
    static long wholeRows(long items, long row) {
        return row > LONG_ROW ? items : Math.ceilDiv(items, row) * row;
    }

    /** Runs some items, or groups, in the compiled code. */
    void compiled(Object[] values, Range range, LaunchNumbers numbers, long from, long to) {
        try {
            long scratch = Scratch.address(numbers.scratchBytes());
            long begin = from;
            if (calls < MANY) {
                long few = wholeRows(FEW, numbers.words()[LaunchWords.SIZE_X]);
                for (; calls < MANY && to - begin > few; begin += few, calls++)
                    code.loop().run(numbers.words(), scratch, begin, begin + few);
            }
            code.loop().run(numbers.words(), scratch, begin, to);
        } catch (KernelFault fault) {
            ClassLoader loader = implementation.declaring().getClassLoader();
            throw Faulted.failure(code.sites().get(fault.site()), fault, values, range, loader);
        }
    }
}

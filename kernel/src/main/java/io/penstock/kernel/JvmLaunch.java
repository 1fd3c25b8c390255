package io.penstock.kernel;

import io.penstock.kernel.ir.KernelCode;
import io.penstock.runtime.Queue;
import java.lang.ref.Reference;
import org.jspecify.annotations.Nullable;

/**
 * A launch on the JVM: what does not change from one time to the next, found once. Running it again allocates nothing, unless it
 * is cut into pieces.
 */
final class JvmLaunch implements Queue.RangeBody {
    private final Kernel kernel;
    private final Range range;
    private final Object[] values;
    private final long items;
    private final Implementation implementation;
    private final LaunchTiming timing;

    /** Compiled code with the launch's numbers as it needs them; racing threads find the same. */
    private @Nullable Ready ready;

    private record Ready(TieredCode code, LaunchNumbers numbers) {}

    /** A launch with arguments that fit the kernel. */
    JvmLaunch(Kernel kernel, Range range, Object[] values) {
        this.kernel = kernel;
        this.range = range;
        this.values = values;
        this.items = range.items();
        this.implementation = kernel.implementation();
        this.timing = implementation.timing();
    }

    /** Runs all items, or all groups where the kernel needs them; the arguments are those that keep the memory alive. */
    void run(Queue queue, Object[] arguments) {
        try {
            if (implementation.translation().needsGroups()) {
                queue.parallel(range.groups(), 1, groups());
                return;
            }
            if (ready == null) ready = ready(implementation.compiled().of(values, range));
            queue.parallel(items, grain(), this);
        } catch (ItemFailure failure) {
            throw Failures.describe(kernel, queue.device(), range, values, failure);
        } finally {
            Reference.reachabilityFence(arguments);
            Reference.reachabilityFence(values);
        }
    }

    private @Nullable Ready ready(@Nullable TieredCode code) {
        return code == null ? null : new Ready(code, code.numbers(values, range));
    }

    /** Whole rows where they are short, so that pieces begin at their beginnings. */
    private long grain() {
        long fewest = timing.grain();
        long row = range.x();
        return fewest <= row / 2 || row == 1 ? fewest : Math.ceilDiv(fewest, row) * row;
    }

    /** What runs some groups, whose items share memory or wait for each other. */
    private Queue.RangeBody groups() {
        Ready known = ready;
        if (known == null) {
            KernelCode code = java.util.Objects.requireNonNull(
                    implementation.translation().code());
            TieredCode compiled = implementation.compiled().ofGroups(code, values, range);
            if (compiled == null) return (from, to) -> Interpreter.run(code, values, range, from, to);
            ready = known = new Ready(compiled, compiled.numbers(values, range));
        }
        Ready chosen = known;
        return (from, to) -> chosen.code().compiled(values, range, chosen.numbers(), from, to);
    }

    /** Runs some of the items in one way or the other. */
    @Override
    public void run(long from, long to) {
        Ready known = ready;
        if (known != null) known.code().run(this, from, to);
        else if (!timing.isDue()) plain(from, to);
        else timing.learn(to - from, time(false, from, to));
    }

    /** Runs some items, compiled or as Java, and says how long it took. */
    long time(boolean compiled, long from, long to) {
        long start = System.nanoTime();
        if (compiled) compiled(from, to);
        else plain(from, to);
        return System.nanoTime() - start;
    }

    /** Runs some items as Java. */
    void plain(long from, long to) {
        implementation.loop().run(kernel.body(), values, range, from, to);
    }

    /** Runs some items compiled. */
    void compiled(long from, long to) {
        Ready known = java.util.Objects.requireNonNull(ready);
        known.code().compiled(values, range, known.numbers(), from, to);
    }

    LaunchTiming timing() {
        return timing;
    }

    Range range() {
        return range;
    }
}

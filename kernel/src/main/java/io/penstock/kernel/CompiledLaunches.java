package io.penstock.kernel;

import io.penstock.kernel.ir.KernelCode;
import io.penstock.kernel.jvm.JvmKernel;
import io.penstock.kernel.jvm.LaunchShape;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The compiled code of one kernel, by the shapes of launches; and whether the kernel takes long enough to be worth it. */
final class CompiledLaunches {
    /** How long a kernel must have run in all before it is compiled: about what the JVM takes to make vectors fast. */
    private static final long WORTH_NANOS = 100_000_000;

    /** More shapes than one kernel is launched with, but by programs that would compile for ever. */
    private static final int MOST_SHAPES = 16;

    private final Implementation implementation;
    private final Map<LaunchShape, Optional<TieredCode>> variants = new ConcurrentHashMap<>();
    private volatile boolean hopeless;

    CompiledLaunches(Implementation implementation) {
        this.implementation = implementation;
    }

    /** The code for a launch; null where it runs as plain Java, for the time being or for good. */
    @Nullable
    TieredCode of(Object[] values, Range range) {
        if (hopeless || Tier.ASKED == Tier.PLAIN) return null;
        if (Tier.ASKED == Tier.MEASURED && implementation.timing().spentNanos() < WORTH_NANOS) return null;
        KernelCode code = implementation.translation().code();
        if (code == null) {
            hopeless = true;
            return null;
        }
        if (code.seesGroups()) return null;
        LaunchReach.Known known = implementation.reach().known(code, values, range);
        return known.variant(() -> variant(code, LaunchNumbers.shape(code, known.reach(), values)));
    }

    /** The code for a launch that must run group by group; null where only the interpreter can. */
    @Nullable
    TieredCode ofGroups(KernelCode code, Object[] values, Range range) {
        LaunchReach.Known known = implementation.reach().known(code, values, range);
        return known.variant(() -> {
            LaunchShape shape = LaunchNumbers.shape(code, known.reach(), values);
            Optional<TieredCode> before = variants.get(shape);
            if (before != null) return before;
            if (variants.size() >= MOST_SHAPES || !JvmKernel.isPossible(code, shape)) return Optional.empty();
            return variants.computeIfAbsent(
                    shape, s -> Optional.of(TieredCode.atOnce(implementation, JvmKernel.scalar(code, s))));
        });
    }

    private Optional<TieredCode> variant(KernelCode code, LaunchShape shape) {
        Optional<TieredCode> known = variants.get(shape);
        if (known != null) return known;
        if (variants.size() >= MOST_SHAPES) return Optional.empty();
        return variants.computeIfAbsent(shape, s -> Optional.ofNullable(TieredCode.of(implementation, code, s)));
    }
}

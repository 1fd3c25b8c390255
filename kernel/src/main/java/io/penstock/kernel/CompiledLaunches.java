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
    private final Map<Key, Optional<TieredCode>> variants = new ConcurrentHashMap<>();
    private volatile boolean hopeless;

    private record Key(Tier tier, LaunchShape shape) {}

    CompiledLaunches(Implementation implementation) {
        this.implementation = implementation;
    }

    /** The code for a launch; null where it runs as plain Java, for the time being or for good. */
    @Nullable
    TieredCode of(Object[] values, Range range) {
        Tier tier = Tier.asked();
        if (hopeless || tier == Tier.PLAIN) return null;
        if (tier == Tier.MEASURED && implementation.timing().spentNanos() < WORTH_NANOS) return null;
        KernelCode code = implementation.translation().code();
        if (code == null || implementation.translation().seesGroups()) {
            hopeless = true;
            return null;
        }
        LaunchReach.Known known = implementation.reach().known(code, values, range);
        return known.variant(
                tier, () -> variant(code, new Key(tier, LaunchNumbers.shape(code, known.reach(), values, range))));
    }

    /** The code for a launch that must run group by group; null where only the interpreter can. */
    @Nullable
    TieredCode ofGroups(KernelCode code, Object[] values, Range range) {
        LaunchReach.Known known = implementation.reach().known(code, values, range);
        return known.variant(Tier.SCALAR, () -> {
            Key key = new Key(Tier.SCALAR, LaunchNumbers.shape(code, known.reach(), values, range));
            Optional<TieredCode> before = variants.get(key);
            if (before != null) return before;
            if (variants.size() >= MOST_SHAPES || !JvmKernel.isPossible(code, key.shape())) return Optional.empty();
            return variants.computeIfAbsent(
                    key, k -> Optional.of(TieredCode.atOnce(implementation, code, JvmKernel.scalar(code, k.shape()))));
        });
    }

    private Optional<TieredCode> variant(KernelCode code, Key key) {
        Optional<TieredCode> known = variants.get(key);
        if (known != null) return known;
        if (variants.size() >= MOST_SHAPES) return Optional.empty();
        return variants.computeIfAbsent(
                key, k -> Optional.ofNullable(TieredCode.of(implementation, code, k.tier(), k.shape())));
    }
}

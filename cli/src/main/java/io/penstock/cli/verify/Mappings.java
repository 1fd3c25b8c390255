package io.penstock.cli.verify;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Which recorded names Penstock has a counterpart for: the one place where the peer's names are mapped.
 *
 * <p>A mapping is registered under the kind of case and the peer's name, with {@code local} or {@code distributed} before them
 * where the peer has both under one name.
 */
final class Mappings {
    private static final Map<String, Mapping> ALL = new LinkedHashMap<>();

    static {
        Shuffles.register(ALL);
        Stencils.register(ALL);
        Blocks.register(ALL);
        Solvers.register(ALL);
        Products.register(ALL);
        Functions.register(ALL);
        ArrayValues.register(ALL);
    }

    private Mappings() {}

    static Optional<Mapping> of(Reference reference) {
        String name = reference.kind() + " " + reference.op();
        Mapping exact = ALL.get((reference.distributed() ? "distributed " : "local ") + name);
        return Optional.ofNullable(exact == null ? ALL.get(name) : exact);
    }
}

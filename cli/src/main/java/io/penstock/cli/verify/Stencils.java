package io.penstock.cli.verify;

import io.penstock.array.ArraySpace;
import io.penstock.array.NDArray;
import io.penstock.operator.Difference;
import io.penstock.operator.FirstDerivative;
import io.penstock.operator.LinearOperator;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Derivatives along axes, local and distributed. */
final class Stencils {
    private Stencils() {}

    static void register(Map<String, Mapping> mappings) {
        mappings.put("operator FirstDerivative", Operators.local(r -> first(r).on(Operators.domain(r))));
        mappings.put(
                "operator MPIFirstDerivative",
                Operators.distributed((r, ranks) -> first(r).on(Operators.domain(r, ranks))));
    }

    /** The derivative that a block of the peer's stacks names. */
    static LinearOperator<NDArray, NDArray> derivative(String order, ArraySpace space, int axis, @Nullable String kind) {
        if (order.equals("Second")) throw new NotCovered("SecondDerivative");
        return FirstDerivative.along(axis)
                .kind(difference(kind == null ? "centered" : kind))
                .on(space);
    }

    /** The peer's distributed derivatives are along the first axis and name none. */
    private static FirstDerivative first(Reference r) {
        return FirstDerivative.along(r.hasParameter("axis") ? r.whole("axis") : 0)
                .sampling(r.number("sampling"))
                .kind(difference(r.text("kind")))
                .points(r.whole("order"))
                .edge(r.flag("edge"));
    }

    private static Difference difference(String name) {
        return Difference.valueOf(name.toUpperCase(Locale.ROOT));
    }
}

package io.penstock.cli.verify;

import io.penstock.array.ArraySpace;
import io.penstock.array.NDArray;
import io.penstock.operator.CausalIntegration;
import io.penstock.operator.Conjugation;
import io.penstock.operator.DenseMatrix;
import io.penstock.operator.Diagonal;
import io.penstock.operator.Flip;
import io.penstock.operator.Identity;
import io.penstock.operator.ImaginaryPart;
import io.penstock.operator.Kronecker;
import io.penstock.operator.LinearOperator;
import io.penstock.operator.Pad;
import io.penstock.operator.RealPart;
import io.penstock.operator.Restriction;
import io.penstock.operator.Roll;
import io.penstock.operator.Sum;
import io.penstock.operator.Symmetrize;
import io.penstock.operator.Transpose;
import io.penstock.operator.Zero;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Operators that move, scale, sum or leave out elements. */
final class Shuffles {
    private Shuffles() {}

    static void register(Map<String, Mapping> mappings) {
        put(mappings, "Identity", (r, domain) -> Identity.of(domain, r.whole("N")));
        put(mappings, "Zero", (r, domain) -> Zero.of(domain, ArraySpace.of(r.dtype(), r.dims("dimsd"))));
        put(mappings, "Diagonal", (r, domain) -> Diagonal.along(domain, r.array(r.text("diag")), r.whole("axis")));
        put(mappings, "MatrixMult", (r, domain) -> DenseMatrix.of(domain, r.array(r.text("A"))));
        put(mappings, "Transpose", (r, domain) -> Transpose.of(domain, r.axes("axes")));
        put(mappings, "Flip", (r, domain) -> Flip.of(domain, r.whole("axis")));
        put(mappings, "Roll", (r, domain) -> Roll.of(domain, r.whole("axis"), r.whole("shift")));
        put(mappings, "Pad", Shuffles::pad);
        put(mappings, "Restriction", (r, domain) -> Restriction.of(domain, r.whole("axis"), r.longs("iava")));
        put(mappings, "Sum", (r, domain) -> Sum.of(domain, r.whole("axis")));
        put(mappings, "CausalIntegration", Shuffles::integration);
        put(mappings, "Conj", (r, domain) -> Conjugation.of(domain));
        put(mappings, "Real", (r, domain) -> RealPart.of(domain));
        put(mappings, "Imag", (r, domain) -> ImaginaryPart.of(domain));
        put(mappings, "Symmetrize", (r, domain) -> Symmetrize.of(domain, r.whole("axis")));
        mappings.put(
                "operator Kronecker",
                Operators.local(r -> Kronecker.of(DenseMatrix.of(r.array("A")), DenseMatrix.of(r.array("B")))));
    }

    private interface Maker {
        LinearOperator<NDArray, NDArray> make(Reference reference, ArraySpace domain);
    }

    private static void put(Map<String, Mapping> mappings, String name, Maker maker) {
        mappings.put("operator " + name, Operators.local(r -> maker.make(r, Operators.domain(r))));
    }

    private static LinearOperator<NDArray, NDArray> integration(Reference r, ArraySpace domain) {
        CausalIntegration.Kind kind =
                CausalIntegration.Kind.valueOf(r.text("kind").toUpperCase(Locale.ROOT));
        return CausalIntegration.of(domain, r.whole("axis"), r.number("sampling"), kind, r.flag("removefirst"));
    }

    /** One pair of widths for a single axis, or a pair for each. */
    private static LinearOperator<NDArray, NDArray> pad(Reference r, ArraySpace domain) {
        JsonNode widths = r.parameter("pad");
        if (!widths.path(0).isArray())
            return Pad.of(domain, 0, widths.path(0).asLong(), widths.path(1).asLong());
        long[][] pairs = new long[widths.size()][];
        for (int k = 0; k < pairs.length; k++)
            pairs[k] = new long[] {
                widths.get(k).path(0).asLong(), widths.get(k).path(1).asLong()
            };
        return Pad.of(domain, pairs);
    }
}

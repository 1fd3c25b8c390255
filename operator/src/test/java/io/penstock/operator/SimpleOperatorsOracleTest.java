package io.penstock.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.array.ArraySpace;
import io.penstock.array.Complex;
import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.array.Npz;
import io.penstock.testing.Oracle;
import java.util.Arrays;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Simple local operators, and the algebra, against recorded results of other programs. */
class SimpleOperatorsOracleTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Identity",
                "Zero",
                "Diagonal",
                "MatrixMult",
                "Transpose",
                "Flip",
                "Roll",
                "Pad",
                "Restriction",
                "Sum",
                "CausalIntegration",
                "Conj",
                "Real",
                "Imag",
                "Symmetrize",
                "Kronecker"
            })
    void recordedCasesOf(String operator) {
        assertThat(Oracle.recorded().cases(c -> c.op().equals(operator) && !c.distributed()))
                .isNotEmpty()
                .allSatisfy(c -> check(c, make(c)));
    }

    @Test
    void recordedExpressions() {
        for (Oracle.Case c : Oracle.recorded().cases(c -> c.op().equals("algebra") && !c.distributed()))
            check(c, expression(c));
    }

    private static LinearOperator<NDArray, NDArray> expression(Oracle.Case c) {
        LinearOperator<NDArray, NDArray> a = DenseMatrix.of(array(c, "A"));
        LinearOperator<NDArray, NDArray> b = DenseMatrix.of(array(c, "B"));
        LinearOperator<NDArray, NDArray> d = Diagonal.of(array(c, "d"));
        String expression = c.params().path("expression").asString();
        return switch (expression) {
            case "A+B" -> a.plus(b);
            case "A@B" -> a.times(b);
            case "(1.5-0.5j)*A" -> a.scaled(new Complex(1.5, -0.5));
            case "A.H@A + 2*D" -> a.adjoint().times(a).plus(d.scaled(2));
            case "A.T" -> a.transpose();
            case "A.conj()" -> a.conjugate();
            case "A**3" -> a.power(3);
            case "-A - D@B.H" -> a.negate().minus(d.times(b.adjoint()));
            case "(A@B).T" -> a.times(b).transpose();
            default -> throw new IllegalArgumentException("expression is " + expression);
        };
    }

    private static LinearOperator<NDArray, NDArray> make(Oracle.Case c) {
        JsonNode p = c.params();
        DType type = RecordedArrays.dtype(c.dtype());
        ArraySpace space = ArraySpace.of(type, RecordedArrays.longs(c.json().path("dims")));
        ArraySpace range = ArraySpace.of(type, RecordedArrays.longs(c.json().path("dimsd")));
        int axis = p.path("axis").asInt(-1);
        return switch (c.op()) {
            case "Identity" -> Identity.of(space, p.path("N").asLong());
            case "Zero" -> Zero.of(space, range);
            case "Diagonal" -> Diagonal.along(space, array(c, "diag"), axis);
            case "MatrixMult" -> DenseMatrix.of(space, array(c, "A"));
            case "Transpose" ->
                Transpose.of(
                        space,
                        Arrays.stream(RecordedArrays.longs(p.path("axes")))
                                .mapToInt(Math::toIntExact)
                                .toArray());
            case "Flip" -> Flip.of(space, axis);
            case "Roll" -> Roll.of(space, axis, p.path("shift").asLong());
            case "Pad" -> pad(space, p.path("pad"));
            case "Restriction" -> Restriction.of(space, axis, RecordedArrays.longs(p.path("iava")));
            case "Sum" -> Sum.of(space, axis);
            case "CausalIntegration" ->
                CausalIntegration.of(
                        space,
                        axis,
                        p.path("sampling").asDouble(),
                        CausalIntegration.Kind.valueOf(p.path("kind").asString().toUpperCase(Locale.ROOT)),
                        p.path("removefirst").asBoolean());
            case "Conj" -> Conjugation.of(space);
            case "Real" -> RealPart.of(space);
            case "Imag" -> ImaginaryPart.of(space);
            case "Symmetrize" -> Symmetrize.of(space, axis);
            case "Kronecker" -> Kronecker.of(DenseMatrix.of(array(c, "A")), DenseMatrix.of(array(c, "B")));
            default -> throw new IllegalArgumentException("operator is " + c.op());
        };
    }

    private static LinearOperator<NDArray, NDArray> pad(ArraySpace space, JsonNode widths) {
        if (!widths.get(0).isArray())
            return Pad.of(space, 0, widths.get(0).asLong(), widths.get(1).asLong());
        long[][] pairs = new long[widths.size()][];
        for (int k = 0; k < pairs.length; k++) pairs[k] = RecordedArrays.longs(widths.get(k));
        return Pad.of(space, pairs);
    }

    private static void check(Oracle.Case c, LinearOperator<NDArray, NDArray> a) {
        compare(c, "y", a.forward(given(c, "x", (ArraySpace) a.domain())));
        compare(c, "v", a.adjoint(given(c, "u", (ArraySpace) a.range())));
    }

    /** Of complex numbers that were recorded for a real space, the peer takes the real parts. */
    private static NDArray given(Oracle.Case c, String name, ArraySpace space) {
        NDArray recorded = array(c, name);
        return (Operands.isComplex(space) ? recorded : recorded.real()).reshape(space.dims());
    }

    private static void compare(Oracle.Case c, String name, NDArray got) {
        NDArray expected = array(c, name);
        NDArray flat = got.reshape(got.size()).as(expected.dtype());
        assertThat(flat.space()).as("%s of %s", name, c).isEqualTo(expected.space());
        Oracle.Tolerance tolerance = c.tolerance(name);
        double scale = expected.abs().max().get();
        assertThat(flat.subtract(expected).abs().max().get())
                .as("%s of %s", name, c)
                .isLessThanOrEqualTo(tolerance.rtol() * scale + tolerance.atol());
    }

    private static NDArray array(Oracle.Case c, String name) {
        try (Npz archive = Npz.open(c.archive())) {
            return archive.get(c.key(name));
        }
    }
}

package io.penstock.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.kernel.c.Dialect;
import io.penstock.kernel.c.KernelSource;
import io.penstock.kernel.c.Variant;
import io.penstock.kernel.ir.KernelCode;
import io.penstock.runtime.CompilingDevice;
import io.penstock.runtime.Device;
import io.penstock.runtime.DeviceCode;
import io.penstock.runtime.Scope;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.DoubleBinaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The functions of {@code Math} are on every device as exact as docs/kernels.md says; fast mathematics are close to exact ones. */
class AccuracyTest {
    private static final int ITEMS = 4096;
    /** StrictMath, which results are compared with, is itself wrong by up to one. */
    private static final double REFERENCE = 1;

    private static List<Device> devices() {
        return OnDevice.all();
    }

    /**
     * A function as a kernel's column.
     *
     * @param jvm the bound of Java, in ulp
     * @param opencl that of OpenCL for doubles
     * @param cuda that of CUDA for doubles
     */
    private record Function(String name, double jvm, double opencl, double cuda, DoubleBinaryOperator reference) {}

    private static final List<Function> FUNCTIONS = List.of(
            new Function("sin", 1, 4, 2, (a, b) -> StrictMath.sin(a)),
            new Function("cos", 1, 4, 2, (a, b) -> StrictMath.cos(a)),
            new Function("tan", 1, 5, 2, (a, b) -> StrictMath.tan(a)),
            new Function("asin", 1, 4, 2, (a, b) -> StrictMath.asin(a / 40)),
            new Function("acos", 1, 4, 2, (a, b) -> StrictMath.acos(a / 40)),
            new Function("atan", 1, 5, 2, (a, b) -> StrictMath.atan(a)),
            new Function("exp", 1, 3, 1, (a, b) -> StrictMath.exp(a)),
            new Function("log", 1, 3, 1, (a, b) -> StrictMath.log(Math.abs(a))),
            new Function("log10", 1, 3, 1, (a, b) -> StrictMath.log10(Math.abs(a))),
            new Function("sinh", 2.5, 4, 2, (a, b) -> StrictMath.sinh(a)),
            new Function("cosh", 2.5, 4, 1, (a, b) -> StrictMath.cosh(a)),
            new Function("tanh", 2.5, 5, 1, (a, b) -> StrictMath.tanh(a)),
            new Function("cbrt", 1, 2, 1, (a, b) -> StrictMath.cbrt(a)),
            new Function("expm1", 1, 3, 1, (a, b) -> StrictMath.expm1(a)),
            new Function("log1p", 1, 2, 1, (a, b) -> StrictMath.log1p(Math.abs(a))),
            new Function("pow", 1, 16, 2, (a, b) -> StrictMath.pow(Math.abs(a), b)),
            new Function("atan2", 2, 6, 2, StrictMath::atan2),
            new Function("hypot", 1, 4, 2, StrictMath::hypot));

    static void functions(WorkItem at, Doubles out, Doubles in) {
        double a = in.get(at.x(), 0);
        double b = in.get(at.x(), 1);
        out.set(at.x(), 0, Math.sin(a));
        out.set(at.x(), 1, Math.cos(a));
        out.set(at.x(), 2, Math.tan(a));
        out.set(at.x(), 3, Math.asin(a / 40));
        out.set(at.x(), 4, Math.acos(a / 40));
        out.set(at.x(), 5, Math.atan(a));
        out.set(at.x(), 6, Math.exp(a));
        out.set(at.x(), 7, Math.log(Math.abs(a)));
        out.set(at.x(), 8, Math.log10(Math.abs(a)));
        out.set(at.x(), 9, Math.sinh(a));
        out.set(at.x(), 10, Math.cosh(a));
        out.set(at.x(), 11, Math.tanh(a));
        out.set(at.x(), 12, Math.cbrt(a));
        out.set(at.x(), 13, Math.expm1(a));
        out.set(at.x(), 14, Math.log1p(Math.abs(a)));
        out.set(at.x(), 15, Math.pow(Math.abs(a), b));
        out.set(at.x(), 16, Math.atan2(a, b));
        out.set(at.x(), 17, Math.hypot(a, b));
    }

    @ParameterizedTest
    @MethodSource("devices")
    void functionsAreAsExactAsStated(Device device) {
        SplittableRandom random = new SplittableRandom(Long.getLong("penstock.program", 1));
        try (Scope scope = Scope.open()) {
            Doubles in = Memory.doubles(ITEMS, 2);
            for (int k = 0; k < ITEMS; k++)
                for (int j = 0; j < 2; j++) in.set(k, j, random.nextDouble(-40, 40) * Math.pow(2, -random.nextInt(12)));
            in.set(0, 0, 0);
            in.set(1, 0, -0.0);
            in.set(2, 0, Double.NaN);
            in.set(3, 1, Double.POSITIVE_INFINITY);
            Doubles out = Memory.doubles(ITEMS, FUNCTIONS.size());
            OnDevice.run(device, Kernel.of(AccuracyTest::functions).over(ITEMS), out, in);
            for (int f = 0; f < FUNCTIONS.size(); f++) {
                Function function = FUNCTIONS.get(f);
                double worst = 0;
                for (int k = 0; k < ITEMS; k++) {
                    double exact = function.reference().applyAsDouble(in.get(k, 0), in.get(k, 1));
                    worst = Math.max(worst, distance(out.get(k, f), exact, Math.ulp(exact)));
                }
                assertThat(worst)
                        .as("%s on %s, in ulp", function.name(), device.name())
                        .isLessThanOrEqualTo(bound(function, device) + REFERENCE);
            }
            assertThat(scope).isNotNull();
        }
    }

    private static double bound(Function function, Device device) {
        if (!(device instanceof CompilingDevice compiling)) return function.jvm();
        return compiling.code().language() == DeviceCode.Language.CUDA ? function.cuda() : function.opencl();
    }

    private static double distance(double found, double exact, double ulp) {
        if (Double.isNaN(found) || Double.isInfinite(found) || Double.isInfinite(exact))
            return Double.compare(found, exact) == 0 ? 0 : Double.POSITIVE_INFINITY;
        return Math.abs(found - exact) / ulp;
    }

    static void quick(WorkItem at, Floats out, Floats in) {
        float a = in.get(at.x(), 0);
        float b = in.get(at.x(), 1);
        out.set(at.x(), 0, a * b + 0.25f);
        out.set(at.x(), 1, a / b);
        out.set(at.x(), 2, (float) Math.sqrt(Math.abs(a)));
        out.set(at.x(), 3, (float) Math.sin(a));
        out.set(at.x(), 4, (float) Math.exp(a));
        out.set(at.x(), 5, (float) Math.pow(Math.abs(a), b));
    }

    /** In ulp; of sums, of what was added. Functions of floats are OpenCL's: sin 4, exp 3, pow 16. */
    private static final double[] FAST = {1, 3, 3, 4, 3, 16};

    @ParameterizedTest
    @MethodSource("devices")
    void fastMathematicsStayWithinTheirBounds(Device device) {
        SplittableRandom random = new SplittableRandom(2);
        try (Scope scope = Scope.open()) {
            Floats in = Memory.floats(ITEMS, 2);
            for (int k = 0; k < ITEMS; k++) {
                in.set(k, 0, (float) random.nextDouble(-3, 3));
                in.set(k, 1, (float) random.nextDouble(0.5, 3));
            }
            in.set(0, 0, Float.NaN);
            in.set(1, 0, Float.POSITIVE_INFINITY);
            Floats out = Memory.floats(ITEMS, FAST.length);
            OnDevice.run(device, Kernel.of(AccuracyTest::quick).fastMath().over(ITEMS), out, in);
            for (int k = 0; k < ITEMS; k++) {
                double a = in.get(k, 0);
                double b = in.get(k, 1);
                double[] exact = {
                    a * b + 0.25, a / b, Math.sqrt(Math.abs(a)), Math.sin(a), Math.exp(a), Math.pow(Math.abs(a), b)
                };
                for (int j = 0; j < FAST.length; j++) {
                    float ulp = Math.ulp((float) exact[j]) + (j == 0 ? Math.ulp((float) (a * b)) : 0);
                    assertThat(distance(out.get(k, j), exact[j], ulp))
                            .as("column %d of %s, %s on %s", j, a, b, device.name())
                            .isLessThanOrEqualTo(FAST[j] + REFERENCE);
                }
            }
            assertThat(scope).isNotNull();
        }
    }

    @ParameterizedTest
    @MethodSource("dialects")
    void onlyFastMathematicsContractAndComputeInSinglePrecision(Dialect dialect) {
        KernelCode code = Samples.code(AccuracyTest.class, "quick");
        String function = dialect == Dialect.CUDA ? "sinf(v" : "= sin(v";
        String strict = KernelSource.of(dialect, code, Variant.checked(code)).text();
        String fast = KernelSource.of(dialect, code, Variant.checked(code).inFastMath())
                .text();
        assertThat(strict).contains("= FMUL(v");
        assertThat(fast).contains(function).doesNotContain("= FMUL(v");
        if (dialect == Dialect.CUDA) assertThat(strict).doesNotContain(function);
        else assertThat(fast).contains("FP_CONTRACT ON").doesNotContain("FP_CONTRACT OFF");
    }

    private static List<Dialect> dialects() {
        return List.of(Dialect.values());
    }
}

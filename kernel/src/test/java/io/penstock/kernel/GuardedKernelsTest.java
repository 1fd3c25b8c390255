package io.penstock.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.kernel.ir.KernelCode;
import io.penstock.kernel.jvm.JvmKernel;
import io.penstock.kernel.jvm.LaunchNeeds;
import io.penstock.kernel.jvm.LaunchShape;
import io.penstock.kernel.jvm.Scratch;
import io.penstock.kernel.reach.Reach;
import io.penstock.runtime.Scope;
import io.penstock.testing.Seeded;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kernels that leave out items by conditions at their beginning do so whatever the ranges and the pieces they are cut into. */
class GuardedKernelsTest {
    static void stencil(WorkItem at, Floats out, Floats in, int p) {
        long k = at.z();
        long i = at.y();
        long j = at.x();
        if (k > 0 && i > 0 && j > 0 && k < in.planes() - 1 && i < in.rows() - 1 && j < in.columns() - 1)
            out.set(k, i, j, in.get(k - 1, i, j) + in.get(k, i + 1, j) - in.get(k, i, j - 1) * in.get(k, i, j + 1) + p);
    }

    static void ints(WorkItem at, Floats out, Floats in, int p) {
        int i = (int) at.y();
        int j = (int) at.x();
        if (i < 1 || j < p || j + 2 >= (int) in.columns()) return;
        out.set(at.z(), i, j, in.get(at.z(), i - 1, j + 2) * p);
    }

    static void reversed(WorkItem at, Floats out, Floats in, int p) {
        long j = at.x();
        if (in.columns() - 1 - j > p && !(p - j >= 0))
            out.set(at.z(), at.y(), j, in.get(at.z(), at.y(), in.columns() - 1 - j));
    }

    static void loadsFirst(WorkItem at, Floats out, Floats in, int p) {
        float value = in.get(at.z(), at.y(), at.x());
        if (at.x() <= p) return;
        if (value > 0.5f) return;
        if (at.x() > 5) out.set(at.z(), at.y(), at.x(), value + 1);
        else out.set(at.z(), at.y(), at.x(), value - 1);
    }

    static void neverFromTheEnd(WorkItem at, Floats out, Floats in, int p) {
        if (at.x() >= in.columns() - p) return;
        for (int r = 0; r < p; r++)
            out.set(
                    at.z(),
                    at.y(),
                    at.x(),
                    out.get(at.z(), at.y(), at.x()) * 0.5f + in.get(at.z(), at.y(), at.x() + p));
    }

    static void equal(WorkItem at, Floats out, Floats in, int p) {
        if (p == 2 && at.x() != p && at.y() == p - 1) out.set(at.z(), at.y(), at.x(), in.get(at.z(), at.y(), p));
    }

    static void triangle(WorkItem at, Floats out, Floats in, int p) {
        if (at.x() > at.y() + p && at.y() + at.z() != p && at.z() < 2)
            out.set(at.z(), at.y(), at.x(), in.get(at.z(), at.y(), at.x() - p) + 1);
    }

    /** What is written is read, since both views are of one array: no item may run twice. */
    static void inPlace(WorkItem at, Floats out, Floats in, int p) {
        if (at.x() >= p) out.set(at.z(), at.y(), at.x(), in.get(at.z(), at.y(), at.x()) * 0.5f + p);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"stencil", "ints", "reversed", "loadsFirst", "neverFromTheEnd", "equal", "triangle", "inPlace"})
    void itemsAreLeftOutAsInJava(String name) {
        KernelCode code = Samples.code(GuardedKernelsTest.class, name);
        Seeded.cases(60, random -> {
            int[] sizes = {1 + random.nextInt(3), 1 + random.nextInt(4), 1 + random.nextInt(70)};
            Range range = new Range(3, sizes[0], sizes[1], sizes[2]);
            int n = sizes[0] * sizes[1] * sizes[2];
            try (Scope scope = Scope.open()) {
                Object[] values = {
                    Floats.of(RandomArguments.floats(random, n), sizes[0], sizes[1], sizes[2]),
                    Floats.of(RandomArguments.floats(random, n), sizes[0], sizes[1], sizes[2]),
                    random.nextInt(5)
                };
                if (name.equals("inPlace")) values[1] = values[0];
                byte[] before = RandomArguments.bytes(values);
                Interpreter.run(code, values, range);
                byte[] expected = RandomArguments.results(values);
                LaunchShape shape =
                        LaunchNumbers.shape(code, Reach.of(code, new ViewSizes(values, range)), values, range);
                for (JvmKernel compiled :
                        new JvmKernel[] {JvmKernel.scalar(code, shape), JvmKernel.vector(code, shape)}) {
                    RandomArguments.restore(values, before);
                    run(compiled, LaunchNumbers.of(LaunchNeeds.of(code), values, range), n, random);
                    assertThat(RandomArguments.results(values))
                            .as("%d lanes", compiled.lanes())
                            .isEqualTo(expected);
                }
                assertThat(scope).isNotNull();
            }
        });
    }

    private static void run(JvmKernel compiled, LaunchNumbers numbers, long items, SplittableRandom random) {
        long scratch = Scratch.address(numbers.scratchBytes());
        for (long from = 0; from < items; ) {
            long to = random.nextBoolean() ? items : Math.min(items, from + random.nextInt(90));
            compiled.loop().run(numbers.words(), scratch, from, to);
            from = to;
        }
    }
}

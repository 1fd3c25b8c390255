package io.penstock.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.array.ArraySpace;
import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.testing.Seeded;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The kernels that devices apply stencils by, run in the JVM, against the host's loops: the same bits. */
class PatternStencilTest {
    @Test
    void kernelsMadeForAStencilFindTheBitsOfTheHostsLoops() {
        Seeded.cases(120, random -> compare(random, 0));
    }

    @Test
    void theKernelForAllStencilsFindsTheSame() {
        Seeded.cases(120, random -> compare(random, Long.MAX_VALUE));
    }

    private static void compare(SplittableRandom random, long fewest) {
        long[] shape = random.longs(random.nextInt(1, 4), 1, 9).toArray();
        if (random.nextInt(4) == 0) shape[random.nextInt(shape.length)] = random.nextLong(20, 60);
        Stencil stencil = DistributedStencilTest.anyStencil(random, shape);
        if (random.nextInt(4) == 0) stencil = stencil.transposed();
        DType dtype = StencilTest.anyDtype(random);
        SweepAxis columns = SweepAxis.merged(stencil, dtype, null).getLast();
        PatternStencil kernel = PatternStencil.of(stencil, ArraySpace.of(dtype, stencil.domain()), fewest);
        // The host's loops then multiply by matrices, in another order.
        if (kernel == null || SweepEdges.isDense(columns)) return;
        NDArray x = NDArray.random(1, dtype, stencil.domain());
        NDArray expected = NDArray.random(2, dtype, stencil.range());
        NDArray found = expected.copy();
        boolean accumulate = random.nextBoolean();
        new Sweep(dtype.real(), SweepAxis.merged(stencil, dtype, null))
                .run(expected.address(), x.address(), accumulate, false);
        kernel.apply(x, found, accumulate);
        assertThat(bits(found)).isEqualTo(bits(expected));
    }

    static long[] bits(NDArray array) {
        double[] parts = array.reals().copy().reshape(array.reals().size()).toDoubles();
        long[] bits = new long[parts.length];
        for (int k = 0; k < bits.length; k++) bits[k] = Double.doubleToRawLongBits(parts[k]);
        return bits;
    }

    @Test
    void equalStencilsShareAKernelWhateverTheExtents() {
        Stencil small = Stencil.along(0, SecondDerivative.along(0).band(9), new long[] {9, 50});
        Stencil large = Stencil.along(0, SecondDerivative.along(0).band(40), new long[] {40, 70});
        assertThat(pattern(small)).isEqualTo(pattern(large));
        assertThat(PatternKernels.onDevice(pattern(small), false))
                .isSameAs(PatternKernels.onDevice(pattern(large), false));
    }

    private static StencilPattern pattern(Stencil stencil) {
        return Objects.requireNonNull(StencilPattern.of(
                false, Objects.requireNonNull(StencilPattern.padded(SweepAxis.merged(stencil, DType.F32, null)))));
    }
}

package io.penstock.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.array.ArraySpace;
import io.penstock.array.Complex;
import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.comm.Communicator;
import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.DistributedSpace;
import io.penstock.distributed.Layout;
import java.util.List;
import java.util.SplittableRandom;

/** What tests of operators share: matrices to compare with, tolerances, random shapes and layouts. */
final class Dense {
    static final List<DType> TYPES = List.of(DType.F64, DType.F32, DType.C128, DType.C64);

    private Dense() {}

    /** What a dot test must stay below. */
    static double tolerance(DType type) {
        return type.real() == DType.F32 ? 1e-5 : 1e-12;
    }

    static DType type(SplittableRandom random) {
        return TYPES.get(random.nextInt(TYPES.size()));
    }

    static CausalIntegration.Kind kind(SplittableRandom random) {
        return List.of(CausalIntegration.Kind.values()).get(random.nextInt(3));
    }

    /** A shape of 1 to 3 axes; extents are small, and now and then zero. */
    static long[] shape(SplittableRandom random) {
        long[] shape = new long[random.nextInt(1, 4)];
        for (int k = 0; k < shape.length; k++) shape[k] = random.nextInt(8) == 0 ? 0 : random.nextInt(1, 7);
        return shape;
    }

    /** A layout: replicated, or cut along some axis at random places, empty blocks included. */
    static Layout layout(SplittableRandom random, int ranks, long[] shape) {
        int axis = random.nextInt(-1, shape.length);
        if (axis < 0) return Layout.replicated(ranks, shape);
        return cut(random, ranks, axis, shape);
    }

    /** A layout cut along an axis at random places, empty blocks included. */
    static Layout cut(SplittableRandom random, int ranks, int axis, long[] shape) {
        if (random.nextInt(3) == 0) return Layout.split(ranks, axis, shape);
        long[] blocks = new long[ranks];
        for (long i = 0; i < shape[axis]; i++) blocks[random.nextInt(ranks)]++;
        return Layout.blocks(axis, blocks, shape);
    }

    /** Requires that two arrays are equal but for rounding. */
    static void requireClose(NDArray got, NDArray expected) {
        assertThat(got.space()).isEqualTo(expected.space());
        NDArray difference = got.copy();
        difference.axpy(-1, expected);
        assertThat(difference.norm()).isLessThanOrEqualTo(tolerance(got.dtype()) * (1 + expected.norm()));
    }

    /** Requires that a distributed operator does what a local one does, in both directions, and that its adjoint is true. */
    static void requireLike(
            LinearOperator<DistributedArray, DistributedArray> a, LinearOperator<NDArray, NDArray> local, long seed) {
        DistributedSpace domain = (DistributedSpace) a.domain();
        DistributedSpace range = (DistributedSpace) a.range();
        assertThat(domain.global()).isEqualTo(local.domain());
        assertThat(range.global()).isEqualTo(local.range());
        NDArray x = local.domain().random(seed);
        NDArray u = local.range().random(seed + 1);
        requireClose(a.forward(DistributedArray.ofGlobal(domain, x)).allGather(), local.forward(x));
        requireClose(a.adjoint(DistributedArray.ofGlobal(range, u)).allGather(), local.adjoint(u));
        a.dotTest(seed, tolerance(domain.dtype()));
    }

    static DistributedSpace space(Communicator ranks, Layout layout, DType type) {
        return new DistributedSpace(ranks, layout, type);
    }

    /** Requires that an operator has the matrix that {@code element} computes from row and column, and a true adjoint. */
    static void requireMatrix(LinearOperator<NDArray, NDArray> a, Element element) {
        NDArray matrix = a.denseMatrix();
        assertThat(matrix.shape()).containsExactly(a.range().size(), a.domain().size());
        long[] rows = ((ArraySpace) a.range()).dims();
        long[] columns = ((ArraySpace) a.domain()).dims();
        for (long i = 0; i < matrix.dim(0); i++)
            for (long j = 0; j < matrix.dim(1); j++) {
                Complex expected = element.at(Leaves.index(i, rows), Leaves.index(j, columns));
                assertThat(matrix.getComplex(i, j).minus(expected).abs())
                        .as("element (%s, %s)", i, j)
                        .isLessThan(10 * tolerance(matrix.dtype()));
            }
        a.dotTest(7, tolerance(matrix.dtype()));
    }

    /** An element of an operator's matrix. */
    interface Element {
        /** The coefficient with which the element at {@code column} of the argument counts in the result's at {@code row}. */
        Complex at(long[] row, long[] column);
    }
}

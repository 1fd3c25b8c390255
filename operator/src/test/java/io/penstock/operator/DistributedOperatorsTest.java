package io.penstock.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.array.ArraySpace;
import io.penstock.array.Complex;
import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.comm.Communicator;
import io.penstock.comm.Ranks;
import io.penstock.comm.Traffic;
import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.DistributedSpace;
import io.penstock.distributed.Layout;
import io.penstock.testing.RankCounts;
import io.penstock.testing.Seeded;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Distributed operators against their local forms, on any number of ranks, layouts with empty blocks included. */
class DistributedOperatorsTest {
    private record Case(Communicator ranks, DistributedSpace space, ArraySpace local, int axis, long n, long seed) {
        SplittableRandom random() {
            return new SplittableRandom(seed);
        }
    }

    private interface Body {
        void run(Case drawn);
    }

    /** Runs a body on all ranks of random cases; what it draws itself, it draws from {@link Case#random}, alike on all ranks. */
    private static void onRanks(int cases, Body body) {
        Seeded.cases(cases, random -> {
            int ranks = RankCounts.any(random, 6);
            long[] shape = Dense.shape(random);
            Layout layout = Dense.layout(random, ranks, shape);
            int axis = !layout.isReplicated() && random.nextInt(3) > 0 ? layout.axis() : random.nextInt(shape.length);
            DType type = Dense.type(random);
            long seed = random.nextLong();
            Ranks.run(
                    ranks,
                    communicator -> body.run(new Case(
                            communicator,
                            new DistributedSpace(communicator, layout, type),
                            ArraySpace.of(type, shape),
                            axis,
                            shape[axis],
                            seed)));
        });
    }

    @Test
    void selectionsAreTheLocalOnes() {
        onRanks(40, c -> {
            SplittableRandom random = c.random();
            long shift = random.nextInt(-9, 10);
            long before = random.nextInt(4);
            long after = random.nextInt(4);
            long rows = random.nextInt(9);
            long[] indices = new long[c.n == 0 ? 0 : random.nextInt(9)];
            for (int i = 0; i < indices.length; i++) indices[i] = random.nextLong(c.n);
            Dense.requireLike(Flip.of(c.space, c.axis), Flip.of(c.local, c.axis), c.seed);
            Dense.requireLike(Roll.of(c.space, c.axis, shift), Roll.of(c.local, c.axis, shift), c.seed);
            Dense.requireLike(Pad.of(c.space, c.axis, before, after), Pad.of(c.local, c.axis, before, after), c.seed);
            Dense.requireLike(
                    Restriction.of(c.space, c.axis, indices), Restriction.of(c.local, c.axis, indices), c.seed);
            Dense.requireLike(Symmetrize.of(c.space, c.axis), Symmetrize.of(c.local, c.axis), c.seed);
            Dense.requireLike(Identity.of(c.space, rows), Identity.of(c.local, rows), c.seed);
        });
    }

    @Tag("host")
    @Test
    void sumsAndIntegralsAreTheLocalOnes() {
        onRanks(60, c -> {
            SplittableRandom random = c.random();
            CausalIntegration.Kind kind = Dense.kind(random);
            boolean removeFirst = c.n > 0 && random.nextBoolean();
            Dense.requireLike(Sum.of(c.space, c.axis), Sum.of(c.local, c.axis), c.seed);
            Dense.requireLike(
                    CausalIntegration.of(c.space, c.axis, 0.5, kind, removeFirst),
                    CausalIntegration.of(c.local, c.axis, 0.5, kind, removeFirst),
                    c.seed);
        });
    }

    @Test
    void elementwiseOperatorsAreTheLocalOnes() {
        onRanks(20, c -> {
            NDArray along = NDArray.random(3, c.local.dtype(), c.n);
            Dense.requireLike(Diagonal.along(c.space, along, c.axis), Diagonal.along(c.local, along, c.axis), c.seed);
            NDArray full = c.local.random(4);
            Dense.requireLike(Diagonal.of(DistributedArray.ofGlobal(c.space, full)), Diagonal.of(full), c.seed);
            Dense.requireLike(Identity.of(c.space), Identity.of(c.local), c.seed);
            Dense.requireLike(Zero.of(c.space, c.space), Zero.of(c.local, c.local), c.seed);
            Dense.requireLike(Conjugation.of(c.space), Conjugation.of(c.local), c.seed);
            if (c.local.dtype().isComplex()) Dense.requireLike(RealPart.of(c.space), RealPart.of(c.local), c.seed);
        });
    }

    @Test
    void transpositionAndRedistributionKeepAllElements() {
        onRanks(30, c -> {
            SplittableRandom random = c.random();
            int dimensions = c.local.shape().size();
            int[] axes = random.ints(0, dimensions).distinct().limit(dimensions).toArray();
            Dense.requireLike(Transpose.of(c.space, axes), Transpose.of(c.local, axes), c.seed);
            Layout layout = Dense.layout(random, c.ranks.size(), c.local.dims());
            Dense.requireLike(Redistribution.of(c.space, layout), Identity.of(c.local), c.seed);
        });
    }

    @Test
    void localOperatorsAreLiftedAlongAxesThatAreNotCut() {
        Seeded.cases(15, random -> {
            int ranks = RankCounts.any(random, 5);
            long[] shape = {random.nextInt(1, 5), random.nextInt(5)};
            Layout layout = Dense.cut(random, ranks, 1, shape);
            long seed = random.nextLong();
            Ranks.run(ranks, communicator -> {
                NDArray matrix = NDArray.random(seed, DType.C128, 3, shape[0]);
                DistributedSpace space = new DistributedSpace(communicator, layout, DType.C128);
                Dense.requireLike(
                        Blockwise.along(space, part -> DenseMatrix.of(part, matrix)),
                        DenseMatrix.of(space.global(), matrix),
                        seed);
            });
        });
        Ranks.run(2, communicator -> {
            DistributedSpace rows = DistributedSpace.rows(communicator, 4, 3);
            assertThatThrownBy(() -> Blockwise.along(rows, part -> Sum.of(part, 0)))
                    .hasMessageContaining("expected 2 axes");
        });
    }

    @Test
    void algebraWorksOnDistributedOperators() {
        onRanks(15, c -> {
            LinearOperator<DistributedArray, DistributedArray> roll = Roll.of(c.space, c.axis, 1);
            LinearOperator<NDArray, NDArray> local = Roll.of(c.local, c.axis, 1);
            Complex factor = new Complex(0.5, -2);
            Dense.requireLike(
                    roll.power(3).minus(Identity.of(c.space)).scaled(factor).adjoint(),
                    local.power(3).minus(Identity.of(c.local)).scaled(factor).adjoint(),
                    c.seed);
        });
    }

    @Test
    void derivedOperatorsStayOnTheirCommunicator() {
        Ranks.run(5, world -> {
            try (Communicator half = world.split(world.rank() % 2, world.rank())) {
                DistributedSpace space = DistributedSpace.rows(half, 7, 2);
                LinearOperator<DistributedArray, DistributedArray> sum = Sum.of(space, 0);
                LinearOperator<DistributedArray, DistributedArray> normal =
                        sum.adjoint().times(sum).plus(Roll.of(space, 0, 2)).transpose();
                assertThat(sum.adjoint().range()).isEqualTo(space);
                assertThat(sum.adjoint().domain().size()).isEqualTo(2);
                assertThat(((DistributedSpace) normal.domain()).ranks()).isSameAs(half);
                normal.dotTest(1, 1e-12);
                ArraySpace local = space.global();
                Dense.requireLike(
                        normal,
                        Sum.of(local, 0)
                                .adjoint()
                                .times(Sum.of(local, 0))
                                .plus(Roll.of(local, 0, 2))
                                .transpose(),
                        3);
            }
        });
    }

    @Test
    void nothingIsSentButWhatTheMathematicsNeeds() {
        Ranks.run(3, ranks -> {
            DistributedSpace rows = DistributedSpace.rows(ranks, 7, 2);
            assertThat(messages(ranks, Sum.of(rows, 0))).containsExactly(1, 0);
            assertThat(messages(ranks, Sum.of(rows, 1))).containsExactly(0, 0);
            assertThat(messages(ranks, Roll.of(rows, 0, 1))).containsExactly(1, 1);
            assertThat(messages(ranks, Roll.of(rows, 1, 1))).containsExactly(0, 0);
            assertThat(messages(ranks, Transpose.of(rows))).containsExactly(0, 0);
            assertThat(messages(ranks, Diagonal.of(rows.random(1)))).containsExactly(0, 0);
            assertThat(messages(ranks, CausalIntegration.of(rows, 0, 1, CausalIntegration.Kind.TRAPEZOIDAL, false)))
                    .containsExactly(1, 1);
            Traffic before = ranks.traffic();
            Roll.of(rows, 0, 1).dotTest(1, 1e-12);
            assertThat(ranks.traffic().since(before).messages()).isEqualTo(3);
            // Rolling by one place moves one row of two doubles from each rank.
            before = ranks.traffic();
            DistributedArray x = rows.random(2);
            Roll.of(rows, 0, 1).forward(x);
            assertThat(ranks.traffic().since(before).bytes()).isEqualTo(16);
        });
    }

    private static long[] messages(Communicator ranks, LinearOperator<DistributedArray, DistributedArray> a) {
        DistributedArray x = ((DistributedSpace) a.domain()).random(1);
        DistributedArray y = ((DistributedSpace) a.range()).empty();
        Traffic start = ranks.traffic();
        a.forward(x, y);
        Traffic middle = ranks.traffic();
        a.adjoint(y, x);
        return new long[] {
            middle.since(start).messages(), ranks.traffic().since(middle).messages()
        };
    }

    @Test
    void badParametersAreNamedOnEveryRank() {
        Ranks.run(3, ranks -> {
            DistributedSpace rows = DistributedSpace.rows(ranks, 7, 2);
            assertThatThrownBy(() -> Flip.of(rows, 2)).hasMessageContaining("axis is 2");
            assertThatThrownBy(() -> Restriction.of(rows, 0, 7)).hasMessageContaining("indices[0] is 7");
            assertThatThrownBy(() -> Redistribution.of(rows, Layout.rows(3, 7, 3)))
                    .hasMessageContaining("expected the shape");
            assertThatThrownBy(() -> Sum.of(rows, 0).forward(rows.as(DType.F32).zeros()))
                    .hasMessageContaining("x lies in");
            assertThatThrownBy(() ->
                            Blockwise.of(rows, DistributedSpace.replicated(ranks, 7, 2), Identity.of(rows.local())))
                    .hasMessageContaining("both cut or both replicated");
        });
    }
}

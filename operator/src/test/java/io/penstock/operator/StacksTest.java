package io.penstock.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.array.ArraySpace;
import io.penstock.array.Complex;
import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.comm.Communicator;
import io.penstock.comm.CommunicatorException;
import io.penstock.comm.Ranks;
import io.penstock.comm.Traffic;
import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.DistributedSpace;
import io.penstock.distributed.Layout;
import io.penstock.distributed.StackedArray;
import io.penstock.testing.RankCounts;
import io.penstock.testing.Seeded;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class StacksTest {
    /** Matrices of random sizes; negative sizes mean random ones. */
    private static List<DenseMatrix> matrices(SplittableRandom random, DType type, int count, long rows, long columns) {
        List<DenseMatrix> matrices = new ArrayList<>();
        for (int i = 0; i < count; i++)
            matrices.add(DenseMatrix.of(NDArray.random(
                    random.nextLong(),
                    type,
                    rows < 0 ? random.nextInt(1, 5) : rows,
                    columns < 0 ? random.nextInt(1, 5) : columns)));
        return matrices;
    }

    private static NDArray blockDiagonal(List<DenseMatrix> blocks) {
        long rows = blocks.stream().mapToLong(a -> a.range().size()).sum();
        long columns = blocks.stream().mapToLong(a -> a.domain().size()).sum();
        NDArray whole = NDArray.zeros(blocks.getFirst().range().dtype(), rows, columns);
        long i = 0;
        long j = 0;
        for (DenseMatrix block : blocks) {
            long di = block.range().size();
            long dj = block.domain().size();
            whole.slice(0, i, i + di).slice(1, j, j + dj).assign(block.denseMatrix());
            i += di;
            j += dj;
        }
        return whole;
    }

    private static NDArray beside(List<DenseMatrix> blocks, int axis) {
        return NDArray.concatenate(
                axis, blocks.stream().map(LinearOperator::denseMatrix).toArray(NDArray[]::new));
    }

    @Test
    void localStacksHaveTheMatricesOfTheirMembers() {
        Seeded.cases(15, random -> {
            DType type = Dense.type(random);
            List<DenseMatrix> any = matrices(random, type, random.nextInt(1, 5), -1, -1);
            List<DenseMatrix> sameColumns = matrices(random, type, random.nextInt(1, 5), -1, 3);
            List<DenseMatrix> sameRows = matrices(random, type, random.nextInt(1, 5), 3, -1);
            requireMatrix(BlockDiagonal.of(any), blockDiagonal(any));
            requireMatrix(VerticalStack.of(sameColumns), beside(sameColumns, 0));
            requireMatrix(HorizontalStack.of(sameRows), beside(sameRows, 1));
        });
    }

    private static void requireMatrix(LinearOperator<NDArray, NDArray> a, NDArray expected) {
        Dense.requireClose(a.denseMatrix(), expected);
        a.dotTest(3, Dense.tolerance(expected.dtype()));
    }

    @Test
    void blocksAreMatricesOfOperators() {
        SplittableRandom random = new SplittableRandom(4);
        List<DenseMatrix> upper = List.of(
                matrices(random, DType.F64, 1, 2, 3).getFirst(),
                matrices(random, DType.F64, 1, 2, 1).getFirst());
        List<DenseMatrix> lower = List.of(
                matrices(random, DType.F64, 1, 4, 3).getFirst(),
                matrices(random, DType.F64, 1, 4, 1).getFirst());
        requireMatrix(Block.of(List.of(upper, lower)), NDArray.concatenate(0, beside(upper, 1), beside(lower, 1)));
    }

    @Test
    void realMembersBecomeComplexBesideComplexOnes() {
        SplittableRandom random = new SplittableRandom(5);
        DenseMatrix real = matrices(random, DType.F64, 1, 2, 2).getFirst();
        DenseMatrix complex = matrices(random, DType.C128, 1, 2, 2).getFirst();
        BlockDiagonal both = BlockDiagonal.of(List.of(real, complex));
        assertThat(both.domain().dtype()).isEqualTo(DType.C128);
        assertThat(both.denseMatrix().getComplex(3, 3))
                .isEqualTo(complex.denseMatrix().getComplex(1, 1));
        both.dotTest(1, 1e-12);
        VerticalStack.of(List.of(real, complex)).dotTest(1, 1e-12);
        StackedBlockDiagonal.of(real, complex).dotTest(1, 1e-12);
        StackedVerticalStack.of(real, complex).dotTest(1, 1e-12);
        BlockDiagonal.of(List.of(real, real)).scaled(Complex.I).dotTest(1, 1e-12);
        VerticalStack.of(List.of(real, real)).scaled(Complex.I).dotTest(1, 1e-12);
        DenseMatrix single = matrices(random, DType.F32, 1, 2, 2).getFirst();
        assertThatThrownBy(() -> BlockDiagonal.of(List.of(real, single))).hasMessageContaining("operator 1");
        assertThatThrownBy(() -> StackedBlockDiagonal.of(real, single)).hasMessageContaining("precision");
    }

    @Test
    void mismatchedMembersAreNamed() {
        SplittableRandom random = new SplittableRandom(6);
        List<DenseMatrix> columns = List.of(
                matrices(random, DType.F64, 1, 2, 2).getFirst(),
                matrices(random, DType.F64, 1, 2, 3).getFirst());
        assertThatThrownBy(() -> VerticalStack.of(columns))
                .hasMessageContaining("operator 1 is applied to 3 elements")
                .hasMessageContaining("expected 2");
        assertThatThrownBy(() -> BlockDiagonal.of(List.of())).hasMessageContaining("operators is empty");
        assertThatThrownBy(() -> StackedVerticalStack.of(columns)).hasMessageContaining("domain of operator 1");
    }

    /** This rank's share of a list that is dealt out in order, unevenly, some ranks getting none. */
    private static <T> List<T> share(List<T> all, long[] owners, Communicator ranks) {
        List<T> mine = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) if (owners[i] == ranks.rank()) mine.add(all.get(i));
        return mine;
    }

    private static long[] owners(SplittableRandom random, int count, int ranks) {
        return random.ints(count, 0, ranks).sorted().asLongStream().toArray();
    }

    @Test
    void distributedStacksAreTheLocalStacksOfAllRanksOperators() {
        Seeded.cases(25, random -> {
            int ranks = RankCounts.any(random, 5);
            int count = random.nextInt(1, 7);
            DType type = Dense.type(random);
            long[] owners = owners(random, count, ranks);
            long seed = random.nextLong();
            Ranks.run(ranks, communicator -> {
                SplittableRandom same = new SplittableRandom(seed);
                List<DenseMatrix> any = matrices(same, type, count, -1, -1);
                List<DenseMatrix> sameColumns = matrices(same, type, count, -1, 3);
                List<DenseMatrix> sameRows = matrices(same, type, count, 3, -1);
                Dense.requireLike(
                        BlockDiagonal.gathering(communicator, share(any, owners, communicator)),
                        BlockDiagonal.of(any),
                        seed);
                Dense.requireLike(
                        VerticalStack.gathering(communicator, share(sameColumns, owners, communicator)),
                        VerticalStack.of(sameColumns),
                        seed);
                Dense.requireLike(
                        HorizontalStack.gathering(communicator, share(sameRows, owners, communicator)),
                        HorizontalStack.of(sameRows),
                        seed);
            });
        });
    }

    /** Case C9 of the peer's map, and what is sent. */
    @Test
    void stacksOfOnesGiveTheKnownSums() {
        for (int p : RankCounts.of(1, 2, 3, 5)) {
            Ranks.run(p, ranks -> {
                int r = ranks.rank();
                DenseMatrix mine = DenseMatrix.of(NDArray.full(r + 1, DType.F64, 5, 4));
                DistributedSpace four = DistributedSpace.replicated(ranks, 4);
                DistributedSpace fives = DistributedSpace.rows(ranks, 5L * p);
                LinearOperator<DistributedArray, DistributedArray> vertical =
                        VerticalStack.distributed(four, fives, List.of(mine));
                DistributedArray x = four.zeros();
                x.fill(1);
                DistributedArray y = fives.zeros();
                Traffic start = ranks.traffic();
                vertical.forward(x, y);
                assertThat(ranks.traffic().since(start).messages()).isZero();
                assertThat(y.local().toDoubles()).containsOnly(4.0 * (r + 1));
                y.fill(1);
                start = ranks.traffic();
                vertical.adjoint(y, x);
                assertThat(ranks.traffic().since(start).messages()).isEqualTo(1);
                assertThat(ranks.traffic().since(start).bytes()).isEqualTo(4 * 8);
                assertThat(x.local().toDoubles()).containsOnly(5.0 * p * (p + 1) / 2);
                LinearOperator<DistributedArray, DistributedArray> horizontal = HorizontalStack.distributed(
                        DistributedSpace.rows(ranks, 4L * p), DistributedSpace.replicated(ranks, 5), List.of(mine));
                DistributedArray ones = DistributedSpace.rows(ranks, 4L * p).zeros();
                ones.fill(1);
                assertThat(horizontal.forward(ones).local().toDoubles()).containsOnly(4.0 * p * (p + 1) / 2);
                DistributedArray five = DistributedSpace.replicated(ranks, 5).zeros();
                five.fill(1);
                assertThat(horizontal.adjoint(five).local().toDoubles()).containsOnly(5.0 * (r + 1));
            });
        }
    }

    @Test
    void partsOfAnyShapeHoldTheMembersVectors() {
        Ranks.run(3, ranks -> {
            DistributedSpace space =
                    new DistributedSpace(ranks, Layout.blocks(0, new long[] {2, 0, 4}, 6, 3), DType.F64);
            List<LinearOperator<NDArray, NDArray>> mine = new ArrayList<>();
            for (int k = 0; k < space.local().shape().getFirst() / 2; k++) mine.add(Flip.of(ArraySpace.of(2, 3), 0));
            LinearOperator<DistributedArray, DistributedArray> a = BlockDiagonal.distributed(space, space, mine);
            assertThat(a.domain()).isEqualTo(space);
            DistributedArray x = space.random(1);
            NDArray got = a.forward(x).allGather();
            for (int i = 0; i < 6; i++)
                assertThat(got.get(i, 1)).isEqualTo(x.allGather().get(i ^ 1, 1));
            a.dotTest(2, 1e-12);
        });
    }

    @Test
    @Tag("threads") // ranks that fail end their job
    void operatorsThatDoNotFitEndAllRanks() {
        for (int bad : new int[] {0, 1, 2}) {
            assertThatThrownBy(() -> Ranks.run(3, ranks -> {
                        DenseMatrix mine = DenseMatrix.of(NDArray.zeros(DType.F64, 2, ranks.rank() == bad ? 3 : 2));
                        VerticalStack.gathering(ranks, List.of(mine));
                    }))
                    .isInstanceOf(CommunicatorException.class)
                    .rootCause()
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> Ranks.run(3, ranks -> {
                        DistributedSpace space = DistributedSpace.rows(ranks, 6);
                        DenseMatrix mine = DenseMatrix.of(NDArray.zeros(DType.F64, 2, ranks.rank() == bad ? 3 : 2));
                        BlockDiagonal.distributed(space, space, List.of(mine))
                                .forward(space.zeros())
                                .norm();
                    }))
                    .isInstanceOf(CommunicatorException.class)
                    .hasMessageContaining("rank " + bad);
        }
        Ranks.run(
                2,
                ranks -> assertThatThrownBy(() -> BlockDiagonal.gathering(ranks, List.of()))
                        .hasMessageContaining("no rank"));
        Ranks.run(3, ranks -> {
            DType type = ranks.rank() == 1 ? DType.F32 : DType.F64;
            assertThatThrownBy(() -> BlockDiagonal.gathering(ranks, List.of(DenseMatrix.of(NDArray.zeros(type, 2, 2)))))
                    .hasMessageContaining("rank 1")
                    .hasMessageContaining("precision");
        });
    }

    @Test
    void ranksWithComplexOperatorsMakeAllComplex() {
        Ranks.run(3, ranks -> {
            DType type = ranks.rank() == 1 ? DType.C128 : DType.F64;
            LinearOperator<DistributedArray, DistributedArray> a =
                    BlockDiagonal.gathering(ranks, List.of(DenseMatrix.of(NDArray.random(ranks.rank(), type, 2, 2))));
            assertThat(a.domain().dtype()).isEqualTo(DType.C128);
            a.dotTest(1, 1e-12);
            a.scaled(Complex.I).dotTest(1, 1e-12);
        });
    }

    @Tag("host")
    @Test
    void stacksOfDistributedOperatorsWorkOnStackedArrays() {
        for (int p : RankCounts.of(1, 2, 3, 5)) {
            Ranks.run(p, ranks -> {
                DistributedSpace space = DistributedSpace.rows(ranks, 4, 3);
                ArraySpace local = space.global();
                LinearOperator<DistributedArray, DistributedArray> sum = Sum.of(space, 0);
                StackedBlockDiagonal diagonal = StackedBlockDiagonal.of(sum, Roll.of(space, 0, 1));
                NDArray expected = BlockDiagonal.of(List.of(Sum.of(local, 0), Roll.of(local, 0, 1)))
                        .denseMatrix();
                Dense.requireClose(diagonal.denseMatrix(), expected);
                diagonal.dotTest(3, 1e-12);
                StackedVerticalStack<DistributedArray> vertical = StackedVerticalStack.of(sum, Roll.of(space, 0, 1));
                Dense.requireClose(
                        vertical.denseMatrix(),
                        VerticalStack.of(List.of(Sum.of(local, 0), Roll.of(local, 0, 1)))
                                .denseMatrix());
                vertical.dotTest(4, 1e-12);
                vertical.scaled(Complex.I).dotTest(5, 1e-12);
                StackedArray y = vertical.forward(space.random(6));
                assertThat(vertical.adjoint()
                                .times(vertical)
                                .forward(space.random(6))
                                .norm())
                        .isPositive();
                assertThat(y.parts()).hasSize(2);
            });
        }
    }
}

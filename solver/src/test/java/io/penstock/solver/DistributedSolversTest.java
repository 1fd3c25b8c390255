package io.penstock.solver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.comm.Communicator;
import io.penstock.comm.Ranks;
import io.penstock.comm.Traffic;
import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.DistributedSpace;
import io.penstock.distributed.Layout;
import io.penstock.distributed.StackedArray;
import io.penstock.distributed.StackedSpace;
import io.penstock.operator.LinearOperator;
import io.penstock.testing.RankCounts;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class DistributedSolversTest {
    private static final int N = 10;

    /** Element {@code i} times {@code (i mod 4) + 1 + shift}, whatever the layout. */
    private static LinearOperator<DistributedArray, DistributedArray> diagonal(DistributedSpace space, double shift) {
        return new LinearOperator<>(space, space) {
            @Override
            protected void applyForward(DistributedArray x, DistributedArray y) {
                long start = space.layout().start(space.ranks().rank());
                for (long i = 0; i < x.local().size(); i++)
                    y.local()
                            .set(
                                    x.local()
                                            .getComplex(i)
                                            .times((start + i) % 4 + 1 + shift)
                                            .re(),
                                    i);
            }

            @Override
            protected void applyAdjoint(DistributedArray y, DistributedArray x) {
                applyForward(y, x);
            }
        };
    }

    /** Two operators on one unknown. */
    private static LinearOperator<DistributedArray, StackedArray> stack(
            LinearOperator<DistributedArray, DistributedArray> a,
            LinearOperator<DistributedArray, DistributedArray> b) {
        return new LinearOperator<>(a.domain(), StackedSpace.of(a.range(), b.range())) {
            private final DistributedArray term = a.domain().empty();

            @Override
            protected void applyForward(DistributedArray x, StackedArray y) {
                a.forward(x, y.part(0, DistributedArray.class));
                b.forward(x, y.part(1, DistributedArray.class));
            }

            @Override
            protected void applyAdjoint(StackedArray y, DistributedArray x) {
                a.adjoint(y.part(0, DistributedArray.class), x);
                b.adjoint(y.part(1, DistributedArray.class), term);
                x.axpy(1, term);
            }
        };
    }

    private static History cg(Communicator ranks) {
        DistributedSpace space = DistributedSpace.rows(ranks, N);
        return Cg.of(diagonal(space, 0.1), space.random(7))
                .start(space.random(8))
                .iterations(3)
                .solve()
                .history();
    }

    private static History cgls(Communicator ranks) {
        DistributedSpace space = DistributedSpace.rows(ranks, N);
        LinearOperator<DistributedArray, StackedArray> a = stack(diagonal(space, 0), diagonal(space, 2));
        return Cgls.of(a, StackedArray.of(space.random(1), space.random(2)))
                .start(space.random(3))
                .damping(0.5)
                .iterations(3)
                .solve()
                .history();
    }

    @Test
    void historiesDoNotDependOnTheNumberOfRanks() {
        History cg = Ranks.call(1, DistributedSolversTest::cg).getFirst();
        History cgls = Ranks.call(1, DistributedSolversTest::cgls).getFirst();
        for (int size : RankCounts.of(2, 3, 4, 5, 6, 7, 13))
            Ranks.run(size, ranks -> {
                History manyCg = cg(ranks);
                History manyCgls = cgls(ranks);
                assertSameOnAll(ranks, manyCg.residualNorms());
                assertSameOnAll(ranks, manyCgls.gradientNorms());
                assertClose(manyCg.residualNorms(), cg.residualNorms());
                assertClose(manyCgls.residualNorms(), cgls.residualNorms());
                assertClose(manyCgls.gradientNorms(), cgls.gradientNorms());
                assertClose(manyCgls.costs(), cgls.costs());
            });
    }

    private static void assertSameOnAll(Communicator ranks, List<Double> values) {
        double[] own = values.stream().mapToDouble(x -> x).toArray();
        NDArray first = NDArray.of(own);
        ranks.broadcast(first, 0);
        assertThat(own).isEqualTo(first.toDoubles());
    }

    private static void assertClose(List<Double> got, List<Double> expected) {
        assertThat(got).hasSameSizeAs(expected);
        for (int i = 0; i < got.size(); i++)
            assertThat(got.get(i)).isCloseTo(expected.get(i), within(1e-10 * expected.getFirst()));
    }

    @Test
    void anIterationSendsTwoReductionsAndAFusedOneSendsOne() {
        Ranks.run(3, ranks -> {
            DistributedSpace space = DistributedSpace.rows(ranks, N);
            CgIteration<DistributedArray> cg =
                    Cg.of(diagonal(space, 0.1), space.random(7)).begin();
            assertThat(perIteration(ranks, cg)).isEqualTo(new Traffic(2, (1 + 1) * 8));
            FusedCgIteration<DistributedArray> fused =
                    Cg.of(diagonal(space, 0.1), space.random(7)).fused().begin();
            assertThat(perIteration(ranks, fused)).isEqualTo(new Traffic(1, 2 * 8));
            LinearOperator<DistributedArray, StackedArray> a = stack(diagonal(space, 0), diagonal(space, 2));
            StackedArray y = StackedArray.of(space.random(1), space.random(2));
            Traffic cgls = perIteration(ranks, Cgls.of(a, y).damping(1).begin());
            assertThat(cgls).isEqualTo(new Traffic(2, (2 + 3) * 8));
        });
    }

    private static Traffic perIteration(Communicator ranks, Iteration<?> iteration) {
        iteration.step();
        Traffic before = ranks.traffic();
        iteration.step();
        return ranks.traffic().since(before);
    }

    @Test
    void powerIterationFindsTheSameOnAnyNumberOfRanks() {
        double one = Ranks.call(1, DistributedSolversTest::power).getFirst();
        assertThat(one).isCloseTo(4, within(1e-6));
        for (int size : RankCounts.of(4))
            Ranks.run(size, ranks -> assertThat(power(ranks)).isCloseTo(one, within(1e-12)));
    }

    private static double power(Communicator ranks) {
        return PowerIteration.of(diagonal(DistributedSpace.rows(ranks, N), 0))
                .iterations(30)
                .relativeTolerance(0)
                .solve()
                .value()
                .value();
    }

    @Test
    void returnedSolutionsOutliveTheirRank() {
        List<Solution<DistributedArray>> found = Ranks.call(2, ranks -> {
            DistributedSpace space = DistributedSpace.rows(ranks, N);
            return Cg.of(diagonal(space, 0), space.random(1)).solve();
        });
        assertThat(found.getLast().x().local().size()).isEqualTo(N / 2);
        assertThat(found.getLast().x().local().get(0)).isFinite();
        Eigenpair<DistributedArray> pair = Ranks.call(
                        1,
                        ranks -> PowerIteration.of(diagonal(DistributedSpace.rows(ranks, N), 0))
                                .solve())
                .getFirst();
        assertThat(pair.vector().local().norm()).isCloseTo(1, within(1e-12));
    }

    @Test
    void theRootCancelsForAll() {
        AtomicInteger calls = new AtomicInteger();
        List<Solution<DistributedArray>> found = Ranks.call(4, ranks -> {
            DistributedSpace space = DistributedSpace.rows(ranks, N);
            return Cg.of(diagonal(space, 0.1), space.random(7))
                    .observe(Observer.onRoot(ranks.rank(), p -> {
                        calls.incrementAndGet();
                        return p.iteration() == 2 ? Observer.Verdict.CANCEL : Observer.Verdict.CONTINUE;
                    }))
                    .solve();
        });
        assertThat(calls).hasValue(2);
        assertThat(found).extracting(Solution::stop).containsOnly(Stop.CANCELLED);
        assertThat(found).extracting(Solution::iterations).containsOnly(2);
    }

    @Test
    @Tag("threads") // looks at all ranks from outside
    void nanOnOneRankIsAnErrorOnAll() {
        AtomicInteger failures = new AtomicInteger();
        Ranks.run(3, ranks -> {
            DistributedSpace space = DistributedSpace.rows(ranks, N);
            DistributedArray y = space.random(1);
            if (ranks.rank() == 1) y.local().set(Double.NaN, 0);
            assertThatThrownBy(() -> Cgls.of(diagonal(space, 0), y).solve())
                    .isInstanceOf(SolverException.class)
                    .hasMessageContaining("iteration 0: the squared residual norm is NaN");
            failures.incrementAndGet();
        });
        assertThat(failures).hasValue(3);
    }

    @Test
    void identitiesStackedOverRanksCountRanksAgainstTheDamping() {
        for (int size : RankCounts.upTo(5)) {
            int p = size;
            Ranks.run(p, ranks -> {
                DistributedSpace model = DistributedSpace.replicated(ranks, 3);
                DistributedSpace data = new DistributedSpace(ranks, Layout.rows(p, 3L * p), DType.F64);
                LinearOperator<DistributedArray, DistributedArray> a = new LinearOperator<>(model, data) {
                    @Override
                    protected void applyForward(DistributedArray x, DistributedArray y) {
                        y.local().assign(x.local());
                    }

                    @Override
                    protected void applyAdjoint(DistributedArray y, DistributedArray x) {
                        x.local().assign(y.local());
                        ranks.allReduce(x.local(), io.penstock.comm.ReduceOp.SUM);
                    }
                };
                DistributedArray y = data.empty();
                y.fill(1);
                Solution<DistributedArray> plain = Cgls.of(a, y).iterations(1).solve();
                Solution<DistributedArray> damped =
                        Cgls.of(a, y).damping(3).iterations(1).solve();
                for (long i = 0; i < 3; i++) {
                    assertThat(plain.x().local().get(i)).isCloseTo(1, within(1e-15));
                    assertThat(damped.x().local().get(i)).isCloseTo(p / (p + 9.0), within(1e-15));
                }
            });
        }
    }
}

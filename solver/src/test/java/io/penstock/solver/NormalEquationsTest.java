package io.penstock.solver;

import static io.penstock.solver.CgTest.assertClose;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.distributed.StackedArray;
import io.penstock.operator.StackedVerticalStack;
import io.penstock.testing.Seeded;
import org.junit.jupiter.api.Test;

class NormalEquationsTest {
    @Test
    void stackedLeastSquaresAndNormalEquationsAgreeWithTheDenseSolution() {
        Seeded.cases(15, random -> {
            DType dtype = random.nextBoolean() ? DType.F64 : DType.C128;
            int n = random.nextInt(1, 10);
            Dense a = Dense.random(random, dtype, random.nextInt(n, 15), n);
            Dense l = Dense.random(random, dtype, random.nextInt(1, 8), n);
            double weight = random.nextDouble(0.1, 3);
            NDArray y = a.range().random(random.nextLong());
            NDArray start = a.domain().random(random.nextLong());

            NormalEquations<NDArray> normal = NormalEquations.of(a, y).regularized(l, weight);
            NDArray expected = Dense.of(normal.operator().denseMatrix()).solve(a.adjoint(y));
            Solution<NDArray> cg = Cg.of(normal)
                    .start(start)
                    .iterations(20 * n)
                    .relativeTolerance(1e-13)
                    .solve();
            assertClose(cg.x(), expected, 1e-6);

            StackedArray data = StackedArray.of(y, l.range().zeros());
            Solution<NDArray> cgls = Cgls.of(StackedVerticalStack.of(a, l.scaled(weight)), data)
                    .start(start)
                    .iterations(20 * n)
                    .relativeTolerance(1e-13)
                    .solve();
            assertClose(cgls.x(), expected, 1e-6);
        });
    }

    @Test
    void theOperatorsMustShareTheUnknown() {
        Dense a = Dense.diagonal(1, 2);
        Dense l = Dense.diagonal(1, 2, 3);
        assertThatThrownBy(() -> NormalEquations.of(a, NDArray.of(1, 1)).regularized(l, 1))
                .isInstanceOf(IllegalArgumentException.class);
    }
}

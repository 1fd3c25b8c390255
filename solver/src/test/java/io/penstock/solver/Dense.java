package io.penstock.solver;

import io.penstock.array.ArraySpace;
import io.penstock.array.Complex;
import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.operator.LinearOperator;
import java.util.SplittableRandom;

/** A matrix applied element by element: slow, obvious, and not the library's. */
final class Dense extends LinearOperator<NDArray, NDArray> {
    private final Complex[][] a;

    private Dense(Complex[][] a, DType dtype) {
        super(ArraySpace.of(dtype, a[0].length), ArraySpace.of(dtype, a.length));
        this.a = a;
    }

    static Dense of(NDArray matrix) {
        Complex[][] a = new Complex[(int) matrix.dim(0)][(int) matrix.dim(1)];
        for (int i = 0; i < a.length; i++) for (int j = 0; j < a[0].length; j++) a[i][j] = matrix.getComplex(i, j);
        return new Dense(a, matrix.dtype());
    }

    static Dense diagonal(double... d) {
        NDArray matrix = NDArray.zeros(DType.F64, d.length, d.length);
        for (int i = 0; i < d.length; i++) matrix.set(d[i], i, i);
        return of(matrix);
    }

    static Dense random(SplittableRandom random, DType dtype, int rows, int columns) {
        return of(NDArray.random(random.nextLong(), dtype, rows, columns));
    }

    /** {@code A^H A + shift I}, of the matrix of another. */
    Dense gram(double shift) {
        int n = a[0].length;
        Complex[][] gram = new Complex[n][n];
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                Complex sum = Complex.of(i == j ? shift : 0);
                for (Complex[] row : a) sum = sum.plus(row[i].conjugate().times(row[j]));
                gram[i][j] = sum;
            }
        return new Dense(gram, domain().dtype());
    }

    /** The solution of a square system, by Gaussian elimination with pivoting. */
    NDArray solve(NDArray y) {
        int n = a.length;
        Complex[][] work = new Complex[n][n + 1];
        for (int i = 0; i < n; i++) {
            System.arraycopy(a[i], 0, work[i], 0, n);
            work[i][n] = y.getComplex(i);
        }
        for (int k = 0; k < n; k++) {
            int best = k;
            for (int i = k + 1; i < n; i++) if (work[i][k].abs() > work[best][k].abs()) best = i;
            Complex[] pivot = work[best];
            work[best] = work[k];
            work[k] = pivot;
            for (int i = 0; i < n; i++) {
                if (i == k) continue;
                Complex factor = work[i][k].over(pivot[k]);
                for (int j = k; j <= n; j++) work[i][j] = work[i][j].minus(factor.times(pivot[j]));
            }
        }
        NDArray x = domain().empty();
        for (int i = 0; i < n; i++) set(x, i, work[i][n].over(work[i][i]));
        return x;
    }

    @Override
    protected void applyForward(NDArray x, NDArray y) {
        for (int i = 0; i < a.length; i++) {
            Complex sum = Complex.ZERO;
            for (int j = 0; j < a[0].length; j++) sum = sum.plus(a[i][j].times(x.getComplex(j)));
            set(y, i, sum);
        }
    }

    @Override
    protected void applyAdjoint(NDArray y, NDArray x) {
        for (int j = 0; j < a[0].length; j++) {
            Complex sum = Complex.ZERO;
            for (int i = 0; i < a.length; i++)
                sum = sum.plus(a[i][j].conjugate().times(y.getComplex(i)));
            set(x, j, sum);
        }
    }

    private static void set(NDArray x, long i, Complex value) {
        if (x.dtype().isComplex()) x.set(value, i);
        else x.set(value.re(), i);
    }

    /** Another operator until its n-th forward, which gives NaN. */
    static final class Poisoned extends LinearOperator<NDArray, NDArray> {
        private final LinearOperator<NDArray, NDArray> sound;
        private final int last;
        private int applied;

        Poisoned(LinearOperator<NDArray, NDArray> sound, int last) {
            super(sound.domain(), sound.range());
            this.sound = sound;
            this.last = last;
        }

        @Override
        protected void applyForward(NDArray x, NDArray y) {
            sound.forward(x, y);
            if (++applied == last) y.fill(Double.NaN);
        }

        @Override
        protected void applyAdjoint(NDArray y, NDArray x) {
            sound.adjoint(y, x);
        }
    }
}

package io.penstock.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.testing.Seeded;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class MatrixProductTest {
    private static NDArray reference(NDArray a, NDArray b) {
        NDArray c = NDArray.zeros(DType.C128, a.dim(0), b.dim(1));
        for (long i = 0; i < a.dim(0); i++)
            for (long j = 0; j < b.dim(1); j++) {
                Complex sum = Complex.ZERO;
                for (long k = 0; k < a.dim(1); k++)
                    sum = sum.plus(a.getComplex(i, k).times(b.getComplex(k, j)));
                c.set(sum, i, j);
            }
        return c;
    }

    private static long extent(SplittableRandom random) {
        return random.nextInt(10) == 0 ? random.nextInt(130, 300) : random.nextInt(0, 12);
    }

    private static double tolerance(DType dtype) {
        return dtype.real() == DType.F32 ? 1e-4 : 1e-12;
    }

    @Test
    void productsMatchTheDefinition() {
        Seeded.cases(250, random -> {
            DType left = Cases.type(random);
            DType right = random.nextInt(3) == 0 ? Cases.type(random) : left;
            long m = random.nextInt(0, 9);
            long n = random.nextInt(4) == 0 ? 1 : extent(random);
            long k = extent(random);
            NDArray a = Cases.small(random, left, m, k);
            NDArray b = Cases.small(random, right, k, n);
            NDArray c = a.matmul(b);
            assertThat(c.dtype()).isEqualTo(left.promote(right));
            if (c.dtype() == DType.U8) return;
            assertThat(c.as(DType.C128).allClose(reference(a, b), 1e-4, (k + 1) * tolerance(c.dtype())))
                    .isTrue();
        });
    }

    @Test
    void adjointProductsMatchTheDefinition() {
        DType[] types = {DType.F32, DType.F64, DType.C64, DType.C128};
        Seeded.cases(250, random -> {
            DType dtype = types[random.nextInt(4)];
            long m = extent(random);
            long n = extent(random);
            long columns = random.nextInt(0, 5);
            NDArray a = Cases.view(random, dtype, m, n);
            NDArray x = Cases.view(random, dtype, n, columns);
            NDArray u = Cases.view(random, dtype, m, columns);
            NDArray y = Cases.view(random, dtype, m, columns);
            NDArray v = Cases.view(random, dtype, n, columns);
            a.matmul(x, y);
            a.adjointMatmul(u, v);
            double tolerance = (m + n + 1) * tolerance(dtype);
            assertThat(y.as(DType.C128).allClose(reference(a, x), 0, tolerance)).isTrue();
            assertThat(v.as(DType.C128).allClose(reference(a.transpose().conj(), u), 0, tolerance))
                    .isTrue();
            if (columns == 0) return;
            NDArray column = Cases.view(random, dtype, m);
            a.matmul(x.at(1, 0), column);
            assertThat(column.as(DType.C128).allClose(reference(a, x).at(1, 0), 0, tolerance))
                    .isTrue();
            NDArray row = Cases.view(random, dtype, n);
            a.adjointMatmul(u.at(1, 0), row);
            assertThat(row.as(DType.C128)
                            .allClose(reference(a.transpose().conj(), u).at(1, 0), 0, tolerance))
                    .isTrue();
        });
    }

    @Test
    void vectorsAndBatches() {
        NDArray a = NDArray.of(1, 2, 3, 4).reshape(2, 2);
        NDArray v = NDArray.of(5, 6);
        assertThat(a.matmul(v).toDoubles()).containsExactly(17, 39);
        assertThat(v.matmul(a).toDoubles()).containsExactly(23, 34);
        assertThat(v.matmul(v).ndim()).isZero();
        assertThat(v.matmul(v).get()).isEqualTo(61);
        NDArray batch = NDArray.stack(0, a, a.transpose(), a);
        assertThat(batch.matmul(a).at(0, 1).toDoubles())
                .isEqualTo(a.transpose().matmul(a).toDoubles());
        assertThat(batch.matmul(v).shape()).containsExactly(3, 2);
        assertThat(v.matmul(batch).shape()).containsExactly(3, 2);
        assertThatThrownBy(() -> a.matmul(NDArray.of(1, 2, 3)))
                .hasMessageContaining("shapes (2, 2) and (3, 1) do not multiply");
    }

    @Test
    void wrongOutputsAreNamed() {
        NDArray a = NDArray.zeros(DType.F64, 2, 3);
        assertThatThrownBy(() -> a.matmul(NDArray.zeros(DType.F64, 3), NDArray.zeros(DType.F64, 3)))
                .hasMessageContaining(
                        "y is an array of F64 and shape (3,); expected a floating-point one of F64 and shape (2,)");
    }
}

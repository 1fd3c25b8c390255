package io.penstock.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.testing.Seeded;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BandTest {
    @Test
    void aBandIsTheMatrixOfItsRows() {
        Band band = Band.convolution(new double[] {1, 2, 3}, 1, 4, 4);
        assertThat(dense(band)).isDeepEqualTo(new double[][] {{2, 1, 0, 0}, {3, 2, 1, 0}, {0, 3, 2, 1}, {0, 0, 3, 2}});
        assertThat(band.headRows()).isEqualTo(1);
        assertThat(band.tailStart()).isEqualTo(3);
    }

    @Test
    void aStencilWiderThanTheAxisHasOnlySpecialRows() {
        assertThat(dense(Band.convolution(new double[] {1, 2, 3, 4, 5}, 2, 2, 2)))
                .isDeepEqualTo(new double[][] {{3, 2}, {4, 3}});
        assertThat(dense(Band.convolution(new double[] {1, 2, 3, 4, 5}, 2, 0, 0)))
                .isEmpty();
    }

    @Test
    void transposesAndProductsAreThoseOfTheMatrices() {
        Seeded.cases(300, random -> {
            int n = random.nextInt(0, 12);
            int m = random.nextInt(0, 12);
            int k = random.nextInt(0, 12);
            Band a = random(random, n, m);
            Band b = random(random, m, k);
            assertThat(dense(a.transposed())).isDeepEqualTo(transposed(dense(a), m));
            assertThat(dense(a.transposed().transposed())).isDeepEqualTo(dense(a));
            double[][] product = dense(a.times(b));
            for (int i = 0; i < n; i++)
                for (int j = 0; j < k; j++) {
                    double sum = 0;
                    for (int l = 0; l < m; l++) sum += dense(a)[i][l] * dense(b)[l][j];
                    assertThat(product[i][j]).isEqualTo(sum);
                }
        });
    }

    @Test
    void transposesAndProductsOfLongBandsStayUniformInside() {
        Band derivative = FirstDerivative.along(0).points(5).edge(true).band(1000);
        Band product = Band.convolution(new double[41], 20, 1000, 1000).times(derivative);
        for (Band band : new Band[] {derivative.transposed(), product, product.transposed()}) {
            assertThat(band.headRows()).isLessThan(50);
            assertThat(band.tailStart()).isGreaterThan(950);
        }
    }

    @Test
    void interleavingActsOnEachSequence() {
        Band band = Band.convolution(new double[] {1, 2, 3}, 0, 3, 3);
        double[][] one = dense(band);
        double[][] two = dense(band.interleaved(2));
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 6; j++) assertThat(two[i][j]).isEqualTo(i % 2 == j % 2 ? one[i / 2][j / 2] : 0);
    }

    /** A band of small whole numbers, so that sums are exact. */
    private static Band random(SplittableRandom random, int rows, int columns) {
        BandRow.Builder uniform = new BandRow.Builder();
        int taps = random.nextInt(0, 4);
        for (int t = 0; t < taps; t++) uniform.add(random.nextInt(-3, 4), random.nextInt(1, 5));
        BandRow row = uniform.build();
        long from = Math.max(random.nextInt(0, 3), -row.first());
        long to = Math.min(rows - random.nextInt(0, 3), columns - row.last());
        return Band.of(rows, columns, from, to, row, i -> {
            BandRow.Builder special = new BandRow.Builder();
            for (int t = random.nextInt(0, 3); t > 0 && columns > 0; t--)
                special.add(random.nextInt(0, columns) - i, random.nextInt(1, 5));
            return special.build();
        });
    }

    static double[][] dense(Band band) {
        double[][] matrix = new double[(int) band.rows()][(int) band.columns()];
        for (int i = 0; i < matrix.length; i++) {
            int at = i;
            band.row(i).forEach((offset, coefficient) -> matrix[at][(int) (at + offset)] += coefficient);
        }
        return matrix;
    }

    private static double[][] transposed(double[][] matrix, int columns) {
        double[][] result = new double[columns][matrix.length];
        for (int i = 0; i < matrix.length; i++) for (int j = 0; j < columns; j++) result[j][i] = matrix[i][j];
        return result;
    }
}

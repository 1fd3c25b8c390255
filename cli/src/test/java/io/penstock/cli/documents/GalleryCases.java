package io.penstock.cli.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import gallery.Bilateral;
import gallery.ComplexMap;
import gallery.Histogram;
import gallery.Life;
import gallery.Mandelbrot;
import gallery.NBody;
import gallery.RayBox;
import gallery.Reduction;
import gallery.Scan;
import gallery.SparseProduct;
import gallery.Transpose;
import gallery.Wave;
import io.penstock.kernel.Bytes;
import io.penstock.kernel.ComplexDoubles;
import io.penstock.kernel.Doubles;
import io.penstock.kernel.Floats;
import io.penstock.kernel.Ints;
import io.penstock.runtime.Queue;
import io.penstock.runtime.Scope;
import io.penstock.testing.Seeded;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/** Every kernel of the gallery on one device, against plain Java that goes another way. */
abstract class GalleryCases {
    /** A queue of the device; skips the test where there is none. */
    abstract Queue queue();

    private void cases(int count, BiConsumer<GalleryArrays, SplittableRandom> body) {
        Queue queue = queue();
        Seeded.cases(count, random -> {
            try (Scope _ = Scope.open()) {
                body.accept(new GalleryArrays(queue), random);
            }
        });
    }

    private static float[] floats(SplittableRandom random, int n) {
        float[] values = new float[n];
        for (int k = 0; k < n; k++) values[k] = (float) random.nextDouble(-1, 1);
        return values;
    }

    @Test
    void wave() {
        cases(2, (arrays, random) -> {
            int rows = 20 + random.nextInt(20), columns = 20 + random.nextInt(30), pairs = 12;
            float[] speed = new float[rows * columns];
            for (int k = 0; k < speed.length; k++) speed[k] = random.nextInt(8) == 0 ? 0 : 0.3f;
            Floats now = arrays.floats(new float[speed.length], rows, columns);
            Floats before = arrays.floats(new float[speed.length], rows, columns);
            Wave.run(arrays.queue(), now, before, arrays.floats(speed, rows, columns), pairs);
            double[][] found = References.wave(rows, columns, speed, 2 * pairs);
            assertThat(arrays.read(now)).usingComparatorWithPrecision(1e-4f).containsExactly(singles(found[0]));
            assertThat(arrays.read(before)).usingComparatorWithPrecision(1e-4f).containsExactly(singles(found[1]));
        });
    }

    @Test
    void transpose() {
        cases(3, (arrays, random) -> {
            int rows = 1 + random.nextInt(70), columns = 1 + random.nextInt(70);
            float[] values = floats(random, rows * columns);
            Floats out = arrays.floats(new float[values.length], columns, rows);
            Transpose.run(arrays.queue(), out, arrays.floats(values, rows, columns));
            float[] found = arrays.read(out);
            for (int k = 0; k < values.length; k++)
                assertThat(found[k % columns * rows + k / columns]).isEqualTo(values[k]);
        });
    }

    @Test
    void histogram() {
        cases(2, (arrays, random) -> {
            byte[] values = new byte[1 + random.nextInt(20_000)];
            random.nextBytes(values);
            Ints counts = arrays.ints(new int[256], 256);
            Histogram.run(arrays.queue(), counts, arrays.bytes(values, values.length));
            int[] expected = new int[256];
            for (byte value : values) expected[value & 0xff]++;
            assertThat(arrays.read(counts)).containsExactly(expected);
        });
    }

    @Test
    void reduction() {
        cases(2, (arrays, random) -> {
            double[] values = new double[1 + random.nextInt(5000)];
            for (int k = 0; k < values.length; k++) values[k] = random.nextInt(-1000, 1000) / 8.0; // sums are exact
            Doubles out = arrays.doubles(0);
            Reduction.run(arrays.queue(), out, arrays.doubles(new double[7]), arrays.doubles(values));
            double sum = 0;
            for (double value : values) sum += value;
            assertThat(arrays.read(out)).containsExactly(sum);
        });
    }

    @Test
    void scan() {
        for (int n : new int[] {1, 256, 257, 3000})
            cases(1, (arrays, random) -> {
                int[] values = random.ints(n, -1000, 1000).toArray();
                Ints sums = arrays.ints(new int[n], n);
                long spare = Scan.spare(n);
                Scan.run(arrays.queue(), sums, arrays.ints(values, n), arrays.ints(new int[(int) spare], spare));
                for (int k = 1; k < n; k++) values[k] += values[k - 1];
                assertThat(arrays.read(sums)).containsExactly(values);
            });
    }

    @Test
    void nBody() {
        cases(2, (arrays, random) -> {
            int n = 40 + random.nextInt(60);
            float[] bodies = floats(random, 4 * n);
            for (int k = 0; k < n; k++) bodies[4 * k + 3] = (float) random.nextDouble(0.1, 1) / n;
            float[] velocities = floats(random, 3 * n);
            Floats places = arrays.floats(bodies, n, 4);
            NBody.run(arrays.queue(), places, arrays.floats(velocities, n, 3), 0.01f, 3);
            assertThat(arrays.read(places))
                    .usingComparatorWithPrecision(2e-5f)
                    .containsExactly(singles(References.nBody(bodies, velocities, 0.01, 3)));
        });
    }

    @Test
    void mandelbrot() {
        cases(1, (arrays, random) -> {
            Ints rounds = arrays.ints(new int[40 * 60], 40, 60);
            double left = -2 + random.nextDouble(0.1);
            Mandelbrot.run(arrays.queue(), rounds, left, 1, 0.05, 200);
            assertThat(arrays.read(rounds)).containsExactly(References.mandelbrot(40, 60, left, 1, 0.05, 200));
        });
    }

    @Test
    void life() {
        cases(2, (arrays, random) -> {
            int rows = 3 + random.nextInt(40), columns = 3 + random.nextInt(40);
            byte[] cells = new byte[rows * columns];
            for (int k = 0; k < cells.length; k++) cells[k] = (byte) random.nextInt(2);
            Bytes now = arrays.bytes(cells, rows, columns);
            Life.run(arrays.queue(), now, arrays.bytes(new byte[cells.length], rows, columns), 3);
            assertThat(arrays.read(now)).containsExactly(References.life(rows, columns, cells, 6));
        });
    }

    @Test
    void rayBox() {
        cases(1, (arrays, random) -> {
            float[] boxes = new float[6 * 5];
            for (int k = 0; k < 5; k++)
                for (int c = 0; c < 3; c++) {
                    boxes[6 * k + c] = (float) (c == 1 ? random.nextDouble(0, 1) : random.nextDouble(-3, 3));
                    boxes[6 * k + 3 + c] = boxes[6 * k + c] + (float) random.nextDouble(0.3, 1.5);
                }
            Floats light = arrays.floats(new float[60 * 80], 60, 80);
            RayBox.run(arrays.queue(), light, arrays.floats(boxes, 5, 6));
            double[] expected = References.rayBox(60, 80, boxes);
            float[] found = arrays.read(light);
            int differ = 0;
            for (int k = 0; k < found.length; k++) if (Math.abs(found[k] - expected[k]) > 1e-4) differ++;
            assertThat(differ).as("pixels at edges").isLessThan(found.length / 200);
        });
    }

    @Test
    void complexMap() {
        cases(2, (arrays, random) -> {
            double[] parts =
                    random.doubles(2L * (1 + random.nextInt(300)), -3, 3).toArray();
            ComplexDoubles out = arrays.complex(new double[parts.length]);
            ComplexMap.run(arrays.queue(), out, arrays.complex(parts));
            double[] found = arrays.read(out);
            for (int k = 0; k < parts.length; k += 2) {
                double[] expected = References.rational(parts[k], parts[k + 1]);
                double size = Math.hypot(expected[0], expected[1]);
                assertThat(found[k]).isCloseTo(expected[0], within(1e-12 * size));
                assertThat(found[k + 1]).isCloseTo(expected[1], within(1e-12 * size));
            }
        });
    }

    @Test
    void sparseProduct() {
        cases(3, (arrays, random) -> {
            int rows = 1 + random.nextInt(200), columns = 1 + random.nextInt(200);
            double[][] dense = new double[rows][columns];
            int count = 0;
            for (double[] row : dense)
                for (int j = 0; j < columns; j++)
                    if (random.nextInt(10) == 0) {
                        row[j] = random.nextInt(1, 100);
                        count++;
                    }
            int[] starts = new int[rows + 1], places = new int[count + 1];
            double[] elements = new double[count + 1], x = new double[columns], expected = new double[rows];
            for (int j = 0; j < columns; j++) x[j] = random.nextInt(100);
            int next = 0;
            for (int i = 0; i < rows; i++) {
                for (int j = 0; j < columns; j++) {
                    expected[i] += dense[i][j] * x[j]; // small integers, so exact in any order
                    if (dense[i][j] == 0) continue;
                    places[next] = j;
                    elements[next++] = dense[i][j];
                }
                starts[i + 1] = next;
            }
            Doubles y = arrays.doubles(new double[rows]);
            Ints rowStarts = arrays.ints(starts, rows + 1);
            Ints placesOfElements = arrays.ints(places, count + 1);
            SparseProduct.run(
                    arrays.queue(), y, rowStarts, placesOfElements, arrays.doubles(elements), arrays.doubles(x));
            assertThat(arrays.read(y)).containsExactly(expected);
        });
    }

    @Test
    void bilateral() {
        cases(1, (arrays, random) -> {
            int rows = 10 + random.nextInt(20), columns = 10 + random.nextInt(20);
            float[] picture = floats(random, rows * columns);
            Floats out = arrays.floats(new float[picture.length], rows, columns);
            Bilateral.run(arrays.queue(), out, arrays.floats(picture, rows, columns), 3, 2.0, 0.5);
            assertThat(arrays.read(out))
                    .usingComparatorWithPrecision(1e-6f)
                    .containsExactly(singles(References.bilateral(rows, columns, picture, 3, 2, 0.5)));
        });
    }

    private static float[] singles(double[] values) {
        float[] singles = new float[values.length];
        for (int k = 0; k < values.length; k++) singles[k] = (float) values[k];
        return singles;
    }
}

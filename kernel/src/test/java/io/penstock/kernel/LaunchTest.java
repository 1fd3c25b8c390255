package io.penstock.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.runtime.Buffer;
import io.penstock.runtime.Device;
import io.penstock.runtime.Queue;
import io.penstock.runtime.Scope;
import io.penstock.testing.Seeded;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LaunchTest {
    private Scope scope;

    @BeforeEach
    void openScope() {
        scope = Scope.open();
    }

    @AfterEach
    void closeScope() {
        scope.close();
    }

    private static void count(WorkItem at, Ints visits) {
        long flat = (at.z() * at.sizeY() + at.y()) * at.sizeX() + at.x();
        visits.set(flat, visits.get(flat) + 1);
    }

    private static void assertVisitedOnce(Ints visits, long items) {
        for (long i = 0; i < visits.length(); i++) assertThat(visits.get(i)).isEqualTo(i < items ? 1 : 0);
    }

    @Test
    void runsOverTheIndicesOfAShape() {
        Kernel kernel = Kernel.of(LaunchTest::count);
        assertThat(kernel.over(new long[] {7})).hasToString("kernel LaunchTest.count over 7 items");
        assertThat(kernel.over(new long[] {2, 7})).hasToString("kernel LaunchTest.count over 2 rows x 7 columns");
        assertThat(kernel.over(new long[] {3, 2, 7}))
                .hasToString("kernel LaunchTest.count over 3 planes x 2 rows x 7 columns");
        Ints sheet = Memory.ints(2 * 7 + 3);
        kernel.over(new long[] {2, 7}).launch(sheet);
        assertVisitedOnce(sheet, 2 * 7);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> kernel.over(new long[4]))
                .withMessageContaining("shape has 4 dimensions");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> kernel.over(new long[0]))
                .withMessageContaining("shape has 0 dimensions");
    }

    @Test
    void runsOncePerItemOfAnyRange() {
        Kernel kernel = Kernel.of(LaunchTest::count);
        Seeded.cases(300, random -> {
            long x = random.nextLong(0, 1L << random.nextInt(1, 8));
            long y = random.nextLong(0, 12);
            long z = random.nextLong(0, 6);
            try (Scope own = Scope.open()) {
                Ints line = Memory.ints(x + 3);
                kernel.over(x).launch(line);
                assertVisitedOnce(line, x);
                Ints sheet = Memory.ints(x * y + 3);
                kernel.over(y, x).launch(sheet);
                assertVisitedOnce(sheet, x * y);
                Ints cube = Memory.ints(x * y * z + 3);
                kernel.over(z, y, x).launch(cube);
                assertVisitedOnce(cube, x * y * z);
                assertThat(own).isNotNull();
            }
        });
    }

    @Test
    void knowsWhereEachItemIs() {
        Ints where = Memory.ints(5, 3, 2, 3);
        Ints flat = Ints.of(where.buffer(), 90);
        Kernel.of(LaunchTest::store).over(5, 3, 2).launch(flat);
        for (int z = 0; z < 5; z++)
            for (int y = 0; y < 3; y++)
                for (int x = 0; x < 2; x++) {
                    long at = 3L * ((z * 3 + y) * 2 + x);
                    assertThat(new int[] {flat.get(at), flat.get(at + 1), flat.get(at + 2)})
                            .containsExactly(z, y, x);
                }
    }

    private static void store(WorkItem at, Ints out) {
        long base = 3 * ((at.z() * at.sizeY() + at.y()) * at.sizeX() + at.x());
        out.set(base, (int) at.z());
        out.set(base + 1, (int) at.y());
        out.set(base + 2, (int) at.x());
    }

    @Test
    void missingDimensionsHaveSizeOne() {
        Ints sizes = Memory.ints(6);
        Kernel.of((WorkItem at, Ints out) -> {
                    out.set(0, (int) at.sizeX());
                    out.set(1, (int) at.sizeY());
                    out.set(2, (int) at.sizeZ());
                    out.set(3, (int) (at.y() + at.z()));
                })
                .over(1)
                .launch(sizes);
        assertThat(new int[] {sizes.get(0), sizes.get(1), sizes.get(2), sizes.get(3)})
                .containsExactly(1, 1, 1, 0);
    }

    @Test
    void emptyRangesRunNothing() {
        Kernel fails = Kernel.of((WorkItem at) -> {
            throw new AssertionError("ran " + at.x());
        });
        fails.over(0).launch();
        fails.over(0, 5).launch();
        fails.over(5, 0).launch();
        fails.over(0, 0).launch();
        fails.over(3, 0, 2).launch();
        fails.over(Long.MAX_VALUE, 0, Long.MAX_VALUE).launch();
    }

    @Test
    void refusesNegativeAndOverlargeRanges() {
        Kernel kernel = Kernel.of(LaunchTest::count);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> kernel.over(-1))
                .withMessage("n is -1; expected 0 or more");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> kernel.over(-2, 5))
                .withMessage("rows is -2; expected 0 or more");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> kernel.over(5, -2))
                .withMessageContaining("columns");
        assertThatIllegalArgumentException().isThrownBy(() -> kernel.over(0, 0, -1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> kernel.over(-1, 0, 0))
                .withMessageContaining("planes");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> kernel.over(1L << 40, 1L << 40))
                .withMessageContaining("more than 2^63 - 1 items");
    }

    @Test
    void lambdasCaptureValues() {
        for (int round = 1; round < 4; round++) {
            int factor = round;
            long offset = 10L * round;
            double scale = 0.5;
            Doubles captured = Memory.doubles(10);
            for (int i = 0; i < 10; i++) captured.set(i, i);
            Doubles out = Memory.doubles(10);
            Kernel kernel = Kernel.of((WorkItem at, Doubles to, Integer extra) ->
                    to.set(at.x(), factor * scale * captured.get(at.x()) + offset + extra));
            kernel.over(10).launch(out, 7);
            for (int i = 0; i < 10; i++) assertThat(out.get(i)).isEqualTo(factor * scale * i + offset + 7);
        }
    }

    /** Views keep their address when their memory is freed, and it may be another array's by then. */
    @Test
    void viewsOfFreedMemoryAreRefused() {
        Ints out = Memory.ints(3);
        Ints freed = Memory.ints(3);
        Kernel capturing = Kernel.of((WorkItem at, Ints to) -> to.set(at.x(), freed.get(at.x())));
        capturing.over(3).launch(out);
        freed.buffer().close();
        assertThatThrownBy(() -> Kernel.of(LaunchTest::store).over(3).launch(freed))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("was freed");
        assertThatThrownBy(() -> capturing.over(3).launch(out))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("was freed");
    }

    private static void wide(WorkItem at, Ints out, int a, long b, double c, float d, int e, int f, int g) {
        out.set(at.x(), (int) (a + 10 * b + 100 * c + 1000 * d + 10_000 * e + 100_000 * f + 1_000_000 * g));
    }

    @Test
    void takesEightArguments() {
        Ints out = Memory.ints(3);
        Kernel.of(LaunchTest::wide).over(3).launch(out, 1, 2L, 3.0, 4f, 5, 6, 7);
        for (int i = 0; i < 3; i++) assertThat(out.get(i)).isEqualTo(7_654_321);
    }

    @Test
    void manyThreadsCompileAndLaunchOneKernel() throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            for (int round = 0; round < 3; round++) {
                CyclicBarrier start = new CyclicBarrier(8);
                List<CompletableFuture<Ints>> results = new ArrayList<>();
                int bias = round;
                for (int t = 0; t < 8; t++) {
                    int mine = t;
                    Ints out = Memory.ints(5000);
                    results.add(CompletableFuture.supplyAsync(
                            () -> {
                                try {
                                    start.await();
                                } catch (Exception e) {
                                    throw new IllegalStateException(e);
                                }
                                for (int i = 0; i < 20; i++)
                                    Kernel.of((WorkItem at, Ints to) -> to.set(at.x(), to.get(at.x()) + mine + bias))
                                            .over(5000)
                                            .launch(out);
                                return out;
                            },
                            threads));
                }
                for (int t = 0; t < 8; t++) {
                    Ints out = results.get(t).join();
                    for (int i = 0; i < 5000; i++) assertThat(out.get(i)).isEqualTo(20 * (t + bias));
                }
            }
        }
    }

    @Test
    void kernelsLaunchKernels() {
        Ints out = Memory.ints(6, 7);
        Queue queue = Device.jvm().queue();
        Kernel.of((WorkItem at, Ints to) -> {
                    long row = at.x();
                    Kernel.of((WorkItem inner, Ints cells) -> cells.set(row, inner.x(), (int) (10 * row + inner.x())))
                            .over(7)
                            .launch(to);
                })
                .over(6)
                .launch(queue, out);
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 7; j++) assertThat(out.get(i, j)).isEqualTo(10 * i + j);
    }

    @Test
    void rangesAndViewsBeyondTwoToTheThirtyOne() {
        long n = (1L << 31) + 7;
        long free = Device.jvm().memoryUse().limit() - Device.jvm().memoryUse().live();
        Assumptions.assumeTrue(free > 2 * n, "too little memory for an array of 2^31 bytes");
        Buffer buffer = Device.jvm().allocate(n, io.penstock.runtime.MemoryKind.HOST);
        try {
            Bytes bytes = Bytes.of(buffer, n);
            assertThat(bytes.length()).isEqualTo(n);
            Kernel.of(LaunchTest::mark).over(n).launch(bytes);
            for (long i : new long[] {0, 1, 1L << 28, 1L << 31, (1L << 31) + 1, n - 2, n - 1})
                assertThat(bytes.get(i)).isEqualTo((byte) (i * 31));
            assertThatThrownBy(() -> bytes.get(n)).isInstanceOf(IndexOutOfBoundsException.class);
            Bytes tall = Bytes.of(buffer, 1L << 28, 8);
            assertThat(tall.get(1L << 25, 1)).isEqualTo(bytes.get((1L << 28) + 1));
        } finally {
            buffer.close();
        }
    }

    /** Few of the elements, so that few of the pages behind them are touched. */
    private static void mark(WorkItem at, Bytes out) {
        long x = at.x();
        if ((x & 0xfffffff) < 2 || x >= at.sizeX() - 2) out.set(x, (byte) (x * 31));
    }

    private static void laplacian(WorkItem at, Floats out, Floats in, float h) {
        long i = at.y();
        long j = at.x();
        if (i > 0 && j > 0 && i < in.rows() - 1 && j < in.columns() - 1)
            out.set(
                    i,
                    j,
                    (in.get(i - 1, j) + in.get(i + 1, j) + in.get(i, j - 1) + in.get(i, j + 1) - 4 * in.get(i, j))
                            / (h * h));
    }

    @Test
    void givesTheBitsOfPlainJava() {
        Seeded.cases(50, random -> {
            int rows = random.nextInt(1, 40);
            int columns = random.nextInt(1, 40);
            float h = random.nextFloat() + 0.1f;
            try (Scope own = Scope.open()) {
                Floats in = Memory.floats(rows, columns);
                Floats out = Memory.floats(rows, columns);
                float[][] plain = new float[rows][columns];
                for (int i = 0; i < rows; i++)
                    for (int j = 0; j < columns; j++) {
                        plain[i][j] = (random.nextFloat() - 0.5f) * (1 << random.nextInt(20));
                        in.set(i, j, plain[i][j]);
                    }
                Kernel.of(LaunchTest::laplacian).over(rows, columns).launch(out, in, h);
                for (int i = 1; i < rows - 1; i++)
                    for (int j = 1; j < columns - 1; j++)
                        assertThat(out.get(i, j))
                                .isEqualTo((plain[i - 1][j]
                                                + plain[i + 1][j]
                                                + plain[i][j - 1]
                                                + plain[i][j + 1]
                                                - 4 * plain[i][j])
                                        / (h * h));
                assertThat(own).isNotNull();
            }
        });
    }

    private static void semantics(WorkItem at, Ints ints, Floats floats) {
        ints.set(0, Integer.MAX_VALUE + (int) at.sizeX());
        ints.set(1, Integer.MIN_VALUE / -(int) at.sizeX());
        ints.set(2, 1 << (32 + (int) at.sizeX()));
        ints.set(3, (int) (1e20f * (float) at.sizeX()));
        ints.set(4, (int) (Float.NaN * (float) at.sizeX()));
        floats.set(0, Math.min(0f, -0f * (float) at.sizeX()));
        floats.set(1, Math.max(Float.NaN, (float) at.sizeX()));
        float a = 1 + 0x1p-12f * (float) at.sizeX();
        floats.set(2, a * a - (1 + 0x1p-11f));
        floats.set(3, Float.MIN_VALUE / (float) at.sizeX());
    }

    @Test
    void keepsJavasSemantics() {
        Ints ints = Memory.ints(5);
        Floats floats = Memory.floats(4);
        Kernel.of(LaunchTest::semantics).over(1).launch(ints, floats);
        assertThat(new int[] {ints.get(0), ints.get(1), ints.get(2), ints.get(3), ints.get(4)})
                .containsExactly(Integer.MIN_VALUE, Integer.MIN_VALUE, 2, Integer.MAX_VALUE, 0);
        assertThat(Float.floatToRawIntBits(floats.get(0))).isEqualTo(Float.floatToRawIntBits(-0f));
        assertThat(floats.get(1)).isNaN();
        assertThat(floats.get(2)).isZero();
        assertThat(floats.get(3)).isEqualTo(Float.MIN_VALUE);
    }
}

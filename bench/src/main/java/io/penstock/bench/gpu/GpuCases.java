package io.penstock.bench.gpu;

import static io.penstock.bench.gpu.GpuKernels.ITEMS;
import static io.penstock.bench.gpu.GpuKernels.ROWS;
import static io.penstock.bench.gpu.GpuKernels.TILE;
import static io.penstock.bench.gpu.GpuKernels.value;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.kernel.Floats;
import io.penstock.kernel.Kernel;
import io.penstock.kernel.Longs;
import io.penstock.kernel.RangedKernel;
import io.penstock.operator.Laplacian;
import io.penstock.operator.LinearOperator;
import io.penstock.runtime.Box;
import io.penstock.runtime.Buffer;
import io.penstock.runtime.Device;
import io.penstock.runtime.MemoryKind;
import io.penstock.runtime.Queue;
import io.penstock.runtime.Scope;
import java.util.function.Consumer;

/** Makes the cases, a few at a time: together their arrays need not fit the device. */
final class GpuCases {
    private static final float FACTOR = 0.25f;
    private static final int MOST_GROUPS = 1024;

    private final Queue queue;
    private final Sizes sizes;
    private final Samples samples;
    private final Consumer<GpuCase> measure;

    GpuCases(Queue queue, Sizes sizes, Consumer<GpuCase> measure) {
        this.queue = queue;
        this.sizes = sizes;
        this.samples = new Samples(queue);
        this.measure = measure;
    }

    /** Measures all. */
    void run() {
        inScope(this::copies);
        inScope(this::triads);
        inScope(this::stencils);
        inScope(this::operator);
        inScope(this::map);
        inScope(this::sum);
        inScope(this::transpose);
        inScope(this::product);
    }

    private static void inScope(Runnable cases) {
        try (Scope _ = Scope.open()) {
            cases.run();
        }
    }

    private void copies() {
        long n = sizes.copy();
        Floats from = filled(n);
        Floats to = empty(n);
        double bytes = 2.0 * Float.BYTES * n;
        Runnable check = () -> samples.check("copy", to, 0, place -> value(place));
        measure.accept(GpuCase.moving("copy engine", bytes, () -> queue.copy(from.buffer(), to.buffer()), check));
        clear(to);
        RangedKernel copy = Kernel.of(GpuKernels::copy).over(n);
        measure.accept(GpuCase.moving("copy", bytes, () -> copy.launch(queue, to, from), check));
        clear(to);
        Longs begin = zero();
        RangedKernel checked = Kernel.of(GpuKernels::copyFrom).over(n);
        measure.accept(GpuCase.moving("copy, checked", bytes, () -> checked.launch(queue, to, from, begin), check));
    }

    private void triads() {
        long n = sizes.triad();
        Floats a = empty(n);
        Floats b = filled(n);
        Floats c = filled(n);
        double bytes = 3.0 * Float.BYTES * n;
        Runnable check = () -> samples.check("triad", a, 1e-6, place -> (1 + FACTOR) * value(place));
        RangedKernel triad = Kernel.of(GpuKernels::triad).over(n);
        measure.accept(GpuCase.moving("triad", bytes, () -> triad.launch(queue, a, b, c, FACTOR), check));
        clear(a);
        Longs begin = zero();
        RangedKernel checked = Kernel.of(GpuKernels::triadFrom).over(n);
        measure.accept(
                GpuCase.moving("triad, checked", bytes, () -> checked.launch(queue, a, b, c, FACTOR, begin), check));
    }

    private void stencils() {
        long n = sizes.cube();
        Floats in = cube(filled(n * n * n), n);
        Floats out = cube(empty(n * n * n), n);
        double bytes = 2.0 * Float.BYTES * n * n * n;
        Runnable check = () -> samples.check("stencil", out, 1e-5, place -> laplacian(place, n));
        RangedKernel stencil = Kernel.of(GpuKernels::stencil).over(n, n, n);
        measure.accept(GpuCase.moving("7-point stencil", bytes, () -> stencil.launch(queue, out, in), check));
        clear(out);
        Longs begin = zero();
        RangedKernel checked = Kernel.of(GpuKernels::stencilFrom).over(n, n, n);
        measure.accept(
                GpuCase.moving("7-point stencil, checked", bytes, () -> checked.launch(queue, out, in, begin), check));
    }

    private static double laplacian(long place, long n) {
        long[] index = {place / n / n, place / n % n, place % n};
        for (long i : index) if (i == 0 || i == n - 1) return 0;
        double sum = -6.0 * value(place);
        for (long step : new long[] {1, n, n * n}) sum += (double) value(place - step) + value(place + step);
        return sum;
    }

    /** The operator, whose kernel is made for its coefficients, and which has the borders as well. */
    private void operator() {
        long n = sizes.cube();
        NDArray x = NDArray.zeros(DType.F32, n, n, n).to(queue.device());
        NDArray y = NDArray.zeros(DType.F32, n, n, n).to(queue.device());
        Kernel.of(GpuKernels::fill).over(n * n * n).launch(queue, x.reshape(n * n * n));
        LinearOperator<NDArray, NDArray> laplacian = Laplacian.of(x.space());
        measure.accept(GpuCase.moving(
                "Laplacian operator",
                2.0 * Float.BYTES * n * n * n,
                () -> queue.during(() -> laplacian.forward(x, y)),
                () -> samples.check("Laplacian", (Floats) y.elements(), 1e-5, place -> derivatives(place, n))));
    }

    private static double derivatives(long place, long n) {
        double sum = 0;
        for (long step : new long[] {1, n, n * n}) {
            long i = place / step % n;
            if (i > 0 && i < n - 1) sum += (double) value(place - step) - 2.0 * value(place) + value(place + step);
        }
        return sum;
    }

    private void map() {
        long n = sizes.triad();
        Floats out = empty(n);
        Floats[] in = {filled(n), filled(n), filled(n), filled(n), filled(n)};
        RangedKernel map = Kernel.of(GpuKernels::map).over(n);
        measure.accept(GpuCase.moving(
                "5-way fused map",
                6.0 * Float.BYTES * n,
                () -> map.launch(queue, out, in[0], in[1], in[2], in[3], in[4]),
                () -> samples.check("map", out, 1e-6, place -> Math.pow(value(place), 2))));
        clear(out);
        Longs begin = zero();
        RangedKernel checked = Kernel.of(GpuKernels::mapFrom).over(n);
        measure.accept(GpuCase.moving(
                "5-way fused map, checked",
                6.0 * Float.BYTES * n,
                () -> checked.launch(queue, out, in[0], in[1], in[2], in[3], in[4], begin),
                () -> samples.check("map", out, 1e-6, place -> Math.pow(value(place), 2))));
    }

    private void sum() {
        long n = sizes.copy();
        Floats in = filled(n);
        long groups = Math.clamp(n / (16 * ITEMS), 1, MOST_GROUPS);
        Floats sums = empty(groups);
        Floats out = empty(1);
        Kernel sum = Kernel.of(GpuKernels::sum);
        RangedKernel first = sum.over(groups * ITEMS).groups(ITEMS);
        RangedKernel second = sum.over(ITEMS).groups(ITEMS);
        Runnable run = () -> {
            first.launch(queue, sums, in);
            second.launch(queue, out, sums);
        };
        double tolerance = 1e-6 * n;
        measure.accept(GpuCase.moving(
                "sum", Float.BYTES * (double) n, run, () -> samples.check("sum", out, tolerance, _ -> sumOf(n))));
        clear(out);
        Longs begin = zero();
        Kernel checked = Kernel.of(GpuKernels::sumFrom);
        RangedKernel checkedFirst = checked.over(groups * ITEMS).groups(ITEMS);
        RangedKernel checkedSecond = checked.over(ITEMS).groups(ITEMS);
        Runnable checkedRun = () -> {
            checkedFirst.launch(queue, sums, in, begin);
            checkedSecond.launch(queue, out, sums, begin);
        };
        measure.accept(GpuCase.moving(
                "sum, checked",
                Float.BYTES * (double) n,
                checkedRun,
                () -> samples.check("sum", out, tolerance, _ -> sumOf(n))));
    }

    /** The sum of the first values: those of a whole period many times, and of its beginning. */
    private static double sumOf(long n) {
        double period = 0;
        double rest = 0;
        for (int k = 0; k < 10007; k++) {
            period += value(k);
            if (k < n % 10007) rest += value(k);
        }
        long periods = n / 10007;
        return period * periods + rest;
    }

    private void transpose() {
        long n = sizes.transpose();
        Floats in = square(filled(n * n), n);
        Floats out = square(empty(n * n), n);
        RangedKernel transpose =
                Kernel.of(GpuKernels::transpose).over(n / TILE * ROWS, n).groups(ROWS, TILE);
        measure.accept(GpuCase.moving(
                "tiled transpose",
                2.0 * Float.BYTES * n * n,
                () -> transpose.launch(queue, out, in),
                () -> samples.check("transpose", out, 0, place -> value(place % n * n + place / n))));
        clear(out);
        Longs begin = zero();
        RangedKernel checked =
                Kernel.of(GpuKernels::transposeFrom).over(n / TILE * ROWS, n).groups(ROWS, TILE);
        measure.accept(GpuCase.moving(
                "tiled transpose, checked",
                2.0 * Float.BYTES * n * n,
                () -> checked.launch(queue, out, in, begin),
                () -> samples.check("transpose", out, 0, place -> value(place % n * n + place / n))));
    }

    private void product() {
        long n = sizes.product();
        Floats a = square(filled(n * n), n);
        Floats b = square(filled(n * n), n);
        Floats c = square(empty(n * n), n);
        RangedKernel product = Kernel.of(GpuKernels::product).over(n, n).groups(TILE, TILE);
        measure.accept(new GpuCase(
                "tiled product",
                2.0 * n * n * n,
                "GFLOP/s",
                () -> product.launch(queue, c, a, b),
                () -> samples.check("product", c, 1e-6 * n, place -> dot(place / n, place % n, n))));
        clear(c);
        Longs begin = zero();
        RangedKernel checked = Kernel.of(GpuKernels::productFrom).over(n, n).groups(TILE, TILE);
        measure.accept(new GpuCase(
                "tiled product, checked",
                2.0 * n * n * n,
                "GFLOP/s",
                () -> checked.launch(queue, c, a, b, begin),
                () -> samples.check("product", c, 1e-6 * n, place -> dot(place / n, place % n, n))));
    }

    private static double dot(long row, long column, long n) {
        double sum = 0;
        for (long k = 0; k < n; k++) sum += (double) value(row * n + k) * value(k * n + column);
        return sum;
    }

    private Floats filled(long n) {
        Floats view = Floats.of(allocate(n * Float.BYTES), n);
        Kernel.of(GpuKernels::fill).over(n).launch(queue, view);
        return view;
    }

    private Floats empty(long n) {
        Floats view = Floats.of(allocate(n * Float.BYTES), n);
        clear(view);
        return view;
    }

    private void clear(Floats view) {
        Buffer buffer = view.buffer();
        queue.fill(buffer, Box.contiguous(0, buffer.bytes()), 0, 0, Float.BYTES);
    }

    private Longs zero() {
        Buffer buffer = allocate(Long.BYTES);
        queue.fill(buffer, Box.contiguous(0, Long.BYTES), 0, 0, Long.BYTES);
        return Longs.of(buffer, 1);
    }

    private Buffer allocate(long bytes) {
        Device device = queue.device();
        return device.allocate(bytes, device.equals(Device.jvm()) ? MemoryKind.HOST : MemoryKind.DEVICE);
    }

    private static Floats square(Floats view, long n) {
        return Floats.of(view.buffer(), n, n);
    }

    private static Floats cube(Floats view, long n) {
        return Floats.of(view.buffer(), n, n, n);
    }
}

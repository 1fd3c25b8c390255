package io.penstock.array;

import io.penstock.kernel.ElementFunction;
import io.penstock.kernel.ElementView;
import io.penstock.kernel.Kernel;
import io.penstock.kernel.MapBody;
import io.penstock.runtime.Device;
import io.penstock.runtime.Queue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Combinations of elements along axes, and running ones, as kernels.
 *
 * <p>What is combined is seen as a matrix, a row for each result. A row is combined in pieces, their results again in pieces, and so on
 * until one is left. How rows are cut depends on their length and number alone, so the same arrays give the same bits each time.
 */
final class DeviceReduction {
    /** Terms of a piece; more where a matrix has more than enough pieces to keep a device busy. */
    private static final long TERMS = 64;
    /** The most pieces of a matrix at a time. */
    private static final long MOST_PIECES = 1 << 18;

    private record Key(AxisReduction.Kind kind, DType type) {}

    private static final Map<Key, ElementFunction> COMBINE = new ConcurrentHashMap<>();

    // In one class with what combines them, since a kernel cannot call what is private to two classes.
    private static final ElementFunction PRODUCT = ElementFunction.of((MapBody.OfDoubles2) (x, y) -> x * y);
    private static final ElementFunction CONJUGATE_PRODUCT =
            ElementFunction.of((ComplexBody.OfComplex2) (x, y) -> x.conjugate().times(y));

    private static final ElementFunction COMPLEX_PRODUCT =
            ElementFunction.of((ComplexBody.OfComplex2) (x, y) -> x.times(y));

    private DeviceReduction() {}

    /** The sum of {@code conj(x) * y} as an array of one element, F64 or C128. */
    static NDArray dot(NDArray x, NDArray y) {
        boolean[] reduced = new boolean[x.ndim()];
        Arrays.fill(reduced, true);
        return products(reduced, x, y, false);
    }

    /**
     * The sums of products along axes, in a matrix of one column; see {@link #along}.
     *
     * @param plain whether complex elements of {@code x} are taken as they are, and not their conjugates
     */
    static NDArray products(boolean[] reduced, NDArray x, NDArray y, boolean plain) {
        boolean complex = x.dtype().isComplex();
        DType type = complex ? DType.C128 : DType.F64;
        AxisReduction.Kind sum = AxisReduction.Kind.SUM;
        ElementFunction product = !complex ? PRODUCT : plain ? COMPLEX_PRODUCT : CONJUGATE_PRODUCT;
        return along(reduced, combine(sum, type), type, identity(sum, type), product, x, y);
    }

    /** How two terms become one, in an accumulating type. */
    static ElementFunction combine(AxisReduction.Kind kind, DType type) {
        return COMBINE.computeIfAbsent(
                new Key(kind, type),
                k -> ElementFunction.of(
                        switch (type) {
                            case I64 -> whole(kind);
                            case F64 -> real(kind);
                            default -> complex(kind);
                        }));
    }

    private static MapBody whole(AxisReduction.Kind kind) {
        return switch (kind) {
            case SUM -> (MapBody.OfLongs2) (a, b) -> a + b;
            case PRODUCT -> (MapBody.OfLongs2) (a, b) -> a * b;
            case MINIMUM -> (MapBody.OfLongs2) (a, b) -> Math.min(a, b);
            case MAXIMUM -> (MapBody.OfLongs2) (a, b) -> Math.max(a, b);
        };
    }

    private static MapBody real(AxisReduction.Kind kind) {
        return switch (kind) {
            case SUM -> (MapBody.OfDoubles2) (a, b) -> a + b;
            case PRODUCT -> (MapBody.OfDoubles2) (a, b) -> a * b;
            case MINIMUM -> (MapBody.OfDoubles2) (a, b) -> Math.min(a, b);
            case MAXIMUM -> (MapBody.OfDoubles2) (a, b) -> Math.max(a, b);
        };
    }

    private static MapBody complex(AxisReduction.Kind kind) {
        return kind == AxisReduction.Kind.SUM
                ? (ComplexBody.OfComplex2) (a, b) -> a.plus(b)
                : (ComplexBody.OfComplex2) (a, b) -> a.times(b);
    }

    /** What a combination begins with: it leaves every term as it is. */
    static Object identity(AxisReduction.Kind kind, DType type) {
        boolean whole = type == DType.I64;
        return switch (kind) {
            case SUM -> whole ? (Object) 0L : type.isComplex() ? Complex.ZERO : (Object) 0.0;
            case PRODUCT -> whole ? (Object) 1L : type.isComplex() ? Complex.ONE : (Object) 1.0;
            case MINIMUM -> whole ? (Object) Long.MAX_VALUE : (Object) Double.POSITIVE_INFINITY;
            case MAXIMUM -> whole ? (Object) Long.MIN_VALUE : (Object) Double.NEGATIVE_INFINITY;
        };
    }

    /**
     * The elements along axes to one each.
     *
     * @param type the type of the results, which is that of what {@code combine} gives
     * @param identity what a combination begins with, a number
     * @param values makes a term of the elements of all arrays; null for the elements of one
     * @return a contiguous matrix with one column, a row for each index of the axes that stay
     */
    static NDArray along(
            boolean[] reduced,
            ElementFunction combine,
            DType type,
            Object identity,
            @Nullable ElementFunction values,
            NDArray... in) {
        Device device = ElementKernels.requireCompiler(Placement.of(in));
        List<NDArray> closed = new ArrayList<>();
        NDArray[] matrices = matrices(reduced, in, closed);
        NDArray current = level(device, combine, type, identity, values, matrices);
        closed.forEach(NDArray::close);
        while (current.dim(1) != 1) {
            try (NDArray last = current) {
                current = level(device, combine, type, identity, null, last);
            }
        }
        return current;
    }

    /** Each row of matrices in pieces. */
    private static NDArray level(
            Device device,
            ElementFunction combine,
            DType type,
            Object identity,
            @Nullable ElementFunction values,
            NDArray... matrices) {
        NDArray first = matrices[0];
        long rows = first.dim(0);
        long columns = first.dim(1);
        long pieces =
                columns <= TERMS ? 1 : Math.clamp(MOST_PIECES / Math.max(1, rows), 1, (columns + TERMS - 1) / TERMS);
        NDArray out = NDArray.empty(device, type, rows, pieces);
        boolean rowsLast = Math.abs(first.strides()[0]) < Math.abs(first.strides()[1]) || pieces == 1;
        List<Class<? extends ElementView>> types = Arrays.stream(matrices)
                .<Class<? extends ElementView>>map(m -> ElementKernels.type(m.dtype()))
                .toList();
        Kernel kernel = combine.reduce(values, ElementKernels.type(type), types, rowsLast);
        List<Object> arguments = new ArrayList<>();
        arguments.add(out);
        if (identity instanceof Complex number) {
            arguments.add(number.re());
            if (type.isComplex()) arguments.add(number.im());
        } else arguments.add(identity);
        // On the JVM a piece is a stretch; elsewhere neighbouring items take neighbouring elements.
        long count = (columns + pieces - 1) / pieces;
        boolean stretches = Placement.isJvm(device);
        arguments.add(stretches ? count : 1L);
        arguments.add(stretches ? 1L : pieces);
        arguments.add(count);
        arguments.addAll(List.of(matrices));
        launch(kernel, device.queue(), rowsLast, rows, pieces, arguments);
        return out;
    }

    private static void launch(
            Kernel kernel, Queue queue, boolean rowsLast, long rows, long pieces, List<Object> arguments) {
        if (rowsLast) kernel.over(pieces, rows).launch(queue, arguments.toArray());
        else kernel.over(rows, pieces).launch(queue, arguments.toArray());
    }

    /**
     * Running combinations along an axis, in an array of the accumulating type.
     *
     * @param sums a contiguous array, whose lanes along the axis are replaced by their running combinations
     */
    static void scan(ElementFunction combine, Object identity, NDArray sums, int axis) {
        long n = sums.dim(axis);
        if (sums.size() == 0 || n == 1) return;
        boolean[] scanned = new boolean[sums.ndim()];
        scanned[axis] = true;
        List<NDArray> closed = new ArrayList<>();
        NDArray[] lanes = matrices(scanned, new NDArray[] {sums}, closed);
        scan(combine, identity, lanes[0]);
        if (closed.isEmpty()) return;
        int[] order = order(scanned);
        sums.transpose(order).assign(lanes[0].reshape(sums.transpose(order).shape()));
        closed.forEach(NDArray::close);
    }

    /** Replaces each row of a matrix by its running combinations. */
    private static void scan(ElementFunction combine, Object identity, NDArray rows) {
        Device device = rows.device();
        long lanes = rows.dim(0);
        long columns = rows.dim(1);
        long pieces = columns <= TERMS ? 1 : Math.clamp(MOST_PIECES / lanes, 1, (columns + TERMS - 1) / TERMS);
        long length = (columns + pieces - 1) / pieces;
        boolean rowsLast = Math.abs(rows.strides()[0]) < Math.abs(rows.strides()[1]) || pieces == 1;
        Class<? extends ElementView> type = ElementKernels.type(rows.dtype());
        try (NDArray begin = NDArray.empty(device, rows.dtype(), lanes, pieces)) {
            if (identity instanceof Complex number) Elementwise.fill(begin, number.re(), number.im());
            else begin.fill(((Number) identity).doubleValue());
            if (pieces > 1) {
                try (NDArray totals = NDArray.empty(device, rows.dtype(), lanes, pieces)) {
                    List<Object> arguments = new ArrayList<>(List.of(totals));
                    if (identity instanceof Complex number) arguments.addAll(List.of(number.re(), number.im()));
                    else arguments.add(identity);
                    arguments.addAll(List.of(length, 1L, length, rows));
                    Kernel kernel = combine.reduce(null, type, List.of(type), rowsLast);
                    launch(kernel, device.queue(), rowsLast, lanes, pieces, arguments);
                    scan(combine, identity, totals);
                    begin.slice(1, 1, pieces).assign(totals.slice(1, 0, pieces - 1));
                }
            }
            Kernel kernel = combine.scan(type, type, type, rowsLast);
            launch(kernel, device.queue(), rowsLast, lanes, pieces, List.of(rows, begin, length, rows));
        }
    }

    private static int[] order(boolean[] reduced) {
        int[] order = new int[reduced.length];
        int n = 0;
        for (int k = 0; k < reduced.length; k++) if (!reduced[k]) order[n++] = k;
        for (int k = 0; k < reduced.length; k++) if (reduced[k]) order[n++] = k;
        return order;
    }

    /** The arrays as matrices, whose rows are the axes that stay; copies where their strides do not allow it. */
    private static NDArray[] matrices(boolean[] reduced, NDArray[] in, List<NDArray> copies) {
        int[] order = order(reduced);
        int kept = 0;
        for (boolean goes : reduced) if (!goes) kept++;
        NDArray[] matrices = new NDArray[in.length];
        for (int a = 0; a < in.length; a++) {
            NDArray ordered = in[a].ndim() == 0 ? in[a] : in[a].transpose(order);
            NDArray matrix = matrix(ordered, kept);
            if (matrix == null) {
                NDArray copy = ordered.copy();
                copies.add(copy);
                matrix = matrix(copy, kept);
            }
            if (matrix == null) throw new IllegalStateException("a copy is not contiguous");
            matrices[a] = matrix;
        }
        return matrices;
    }

    private static @Nullable NDArray matrix(NDArray x, int kept) {
        long[] shape = x.shape();
        long[] strides = x.strides();
        long[] rows = merged(shape, strides, 0, kept);
        long[] columns = merged(shape, strides, kept, shape.length);
        if (rows.length == 0 || columns.length == 0) return null;
        return x.view(new long[] {rows[0], columns[0]}, new long[] {rows[1], columns[1]}, 0);
    }

    /** The extent and the stride of neighbouring axes as one; empty when they are not one. */
    private static long[] merged(long[] shape, long[] strides, int from, int to) {
        long extent = 1;
        long stride = 0;
        for (int k = to - 1; k >= from; k--) {
            if (shape[k] == 0) return new long[2];
            if (shape[k] == 1) continue;
            if (extent == 1) stride = strides[k];
            else if (strides[k] != stride * extent) return new long[0];
            extent *= shape[k];
        }
        return new long[] {extent, stride};
    }
}

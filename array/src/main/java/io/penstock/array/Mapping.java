package io.penstock.array;

import io.penstock.kernel.ElementFunction;
import io.penstock.kernel.MapBody;
import io.penstock.runtime.Device;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Users' functions applied to elements of arrays, on whichever device they lie: one kernel, which reads and writes each element once. */
final class Mapping {
    private Mapping() {}

    private static DType promoted(NDArray... in) {
        boolean allScalars = true;
        for (NDArray array : in) allScalars &= array.ndim() == 0;
        DType type = in[0].dtype();
        boolean first = true;
        for (NDArray array : in) {
            if (array.ndim() == 0 && !allScalars) continue;
            type = first ? array.dtype() : type.promote(array.dtype());
            first = false;
        }
        for (NDArray array : in)
            if (array.ndim() == 0) type = Promotion.weak(type, array.dtype().kind());
        return type;
    }

    private static void requireReal(DType type, String instead) {
        if (type.isComplex()) throw new IllegalArgumentException("the arrays are of type " + type + "; use " + instead);
    }

    /** The type that a function of doubles gives its results in. */
    private static DType real(DType promoted) {
        requireReal(promoted, "mapComplex, or their real() and imaginary()");
        return promoted.isInteger() ? DType.F64 : promoted;
    }

    static NDArray doubles(MapBody f, NDArray... in) {
        return map(f, real(promoted(in)), in);
    }

    static NDArray floats(MapBody f, NDArray... in) {
        requireReal(promoted(in), "mapComplex, or their real() and imaginary()");
        return map(f, DType.F32, in);
    }

    static NDArray longs(MapBody f, NDArray... in) {
        DType promoted = promoted(in);
        if (!promoted.isInteger())
            throw new IllegalArgumentException(
                    "the arrays are of type " + promoted + "; expected whole numbers; use map, or as(DType.I64) first");
        return map(f, promoted, in);
    }

    static NDArray complex(MapBody f, NDArray... in) {
        return map(f, promoted(in).complex(), in);
    }

    private static NDArray map(MapBody f, DType result, NDArray... in) {
        ElementFunction function = ElementFunction.of(f);
        Device device = Placement.of(in);
        long[] shape = shape(in);
        NDArray out = NDArray.empty(device, result, shape);
        Object[] operands = new Object[in.length];
        for (int a = 0; a < in.length; a++) operands[a] = in[a].broadcastTo(shape);
        ElementKernels.map(function, out, operands);
        return out;
    }

    /** The shape that all arrays broadcast to. */
    private static long[] shape(NDArray... in) {
        long[] shape = in[0].extents();
        for (int a = 1; a < in.length; a++)
            if (!Arrays.equals(shape, in[a].extents())) shape = Shapes.broadcast(shape, in[a].extents());
        return shape;
    }

    /** Values of a function (of one array's elements where it is null) combined along axes, all when none is given. */
    static NDArray reduce(@Nullable MapBody f, MapBody combine, double identity, int[] axes, NDArray... in) {
        DType type = real(promoted(in));
        long[] shape = shape(in);
        boolean[] reduced = shape.length == 0 ? new boolean[0] : Shapes.axes(axes, shape.length);
        if (shape.length == 0) Shapes.axes(axes.clone(), 0);
        long[] kept = new long[shape.length];
        int n = 0;
        for (int k = 0; k < shape.length; k++) if (!reduced[k]) kept[n++] = shape[k];
        kept = Arrays.copyOf(kept, n);
        if (Shapes.size(shape) == 0) {
            NDArray nothing = NDArray.empty(Placement.of(in), type, kept);
            nothing.fill(identity);
            return nothing;
        }
        NDArray[] same = new NDArray[in.length];
        for (int a = 0; a < in.length; a++) same[a] = in[a].broadcastTo(shape);
        ElementFunction values = f == null ? null : ElementFunction.of(f);
        NDArray combined =
                DeviceReduction.along(reduced, ElementFunction.of(combine), DType.F64, identity, values, same);
        return combined.reshape(kept).as(type);
    }

    /** Running combinations along an axis. */
    static NDArray scan(MapBody combine, double identity, NDArray x, int axis) {
        int k = Shapes.axis(axis, x.ndim());
        DType type = real(x.dtype());
        NDArray result = own(x, DType.F64);
        DeviceReduction.scan(ElementFunction.of(combine), identity, result, k);
        return result.as(type);
    }

    /** Running sums, products or extremes along an axis, in the type that reductions have. */
    static NDArray scan(AxisReduction.Kind kind, NDArray x, int axis) {
        int k = Shapes.axis(axis, x.ndim());
        DType type = AxisReduction.working(x.dtype());
        boolean extreme = kind == AxisReduction.Kind.MINIMUM || kind == AxisReduction.Kind.MAXIMUM;
        if (extreme && type.isComplex())
            throw new IllegalArgumentException(kind + " needs an order, which " + x.dtype() + " does not have");
        NDArray result = own(x, type);
        DeviceReduction.scan(DeviceReduction.combine(kind, type), DeviceReduction.identity(kind, type), result, k);
        return x.dtype().isInteger() && !extreme ? result : result.as(x.dtype());
    }

    private static NDArray own(NDArray x, DType type) {
        NDArray converted = x.as(type);
        return converted == x ? x.copy() : converted;
    }
}

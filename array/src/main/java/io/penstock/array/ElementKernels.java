package io.penstock.array;

import io.penstock.kernel.Bytes;
import io.penstock.kernel.ComplexDoubles;
import io.penstock.kernel.ComplexFloats;
import io.penstock.kernel.Doubles;
import io.penstock.kernel.ElementFunction;
import io.penstock.kernel.ElementView;
import io.penstock.kernel.Floats;
import io.penstock.kernel.Ints;
import io.penstock.kernel.Kernel;
import io.penstock.kernel.Longs;
import io.penstock.runtime.Buffer;
import io.penstock.runtime.Device;
import io.penstock.runtime.Queue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Operations element by element as kernels: one launch over arrays of any types and strides, which are read and written once. */
final class ElementKernels {
    /** The most axes that a kernel's range has. */
    private static final int MOST_AXES = 3;

    private ElementKernels() {}

    /** {@code y = x}, converted, for arrays of one shape. */
    static void convert(NDArray y, NDArray x) {
        map(DeviceFunctions.identity(x.dtype(), y.dtype()), y, x);
    }

    /** {@code y = op(x)}, computed in a working type. */
    static void unary(UnaryOp op, DType type, NDArray y, NDArray x) {
        map(DeviceFunctions.of(op, type), y, x);
    }

    /**
     * {@code z = op(x, y)}, computed in a working type.
     *
     * @param x an array or a number
     * @param y an array or a number
     */
    static void binary(BinaryOp op, DType type, NDArray z, Object x, Object y) {
        map(DeviceFunctions.of(op, type), z, x, y);
    }

    /** {@code out = f(in...)} for arrays of one shape on one device, and numbers. */
    static void map(ElementFunction function, NDArray out, Object... in) {
        NDArray[] all = Stream.concat(
                        Stream.of(out),
                        Arrays.stream(in).filter(NDArray.class::isInstance).map(NDArray.class::cast))
                .toArray(NDArray[]::new);
        Queue queue = requireCompiler(Placement.of(all)).queue();
        if (out.size() == 0) return;
        map(queue, function, Walk.forward(all), all, in);
        for (NDArray array : all) Alive.until(array);
    }

    private static void map(Queue queue, ElementFunction function, Walk walk, NDArray[] all, Object[] in) {
        if (walk.axes() > MOST_AXES) {
            for (long i = 0; i < walk.extent(0); i++) map(queue, function, walk.at(i), all, in);
            return;
        }
        List<Object> arguments = new ArrayList<>();
        List<Class<?>> types = new ArrayList<>();
        int a = 0;
        arguments.add(view(all[0], walk, a++));
        for (Object operand : in) {
            switch (operand) {
                case NDArray array -> {
                    types.add(type(array.dtype()));
                    arguments.add(view(array, walk, a++));
                }
                case Complex number -> {
                    types.add(Complex.class);
                    arguments.add(number.re());
                    arguments.add(number.im());
                }
                default -> {
                    types.add(operand instanceof Long ? long.class : double.class);
                    arguments.add(operand);
                }
            }
        }
        Kernel kernel = function.map(type(all[0].dtype()), types, walk.axes());
        kernel.over(walk.shape()).launch(queue, arguments.toArray());
    }

    /** A device, known to run kernels. */
    static Device requireCompiler(Device device) {
        if (Placement.computes(device)) return device;
        throw new UnsupportedOperationException(
                device.name() + " compiles no kernels, which operations on elements need; use toHost()");
    }

    private static ElementView view(NDArray array, Walk walk, int which) {
        int bytes = array.dtype().bytes();
        long[] strides = new long[walk.axes()];
        for (int k = 0; k < strides.length; k++) strides[k] = walk.step(k, which) / bytes;
        return view(array.buffer(), array.dtype(), walk.start(which) / bytes, walk.shape(), strides);
    }

    static ElementView view(Buffer buffer, DType dtype, long offset, long[] shape, long[] strides) {
        return switch (dtype) {
            case U8 -> Bytes.of(buffer, offset, shape, strides);
            case I32 -> Ints.of(buffer, offset, shape, strides);
            case I64 -> Longs.of(buffer, offset, shape, strides);
            case F32 -> Floats.of(buffer, offset, shape, strides);
            case F64 -> Doubles.of(buffer, offset, shape, strides);
            case C64 -> ComplexFloats.of(buffer, offset, shape, strides);
            case C128 -> ComplexDoubles.of(buffer, offset, shape, strides);
        };
    }

    static Class<? extends ElementView> type(DType dtype) {
        return switch (dtype) {
            case U8 -> Bytes.class;
            case I32 -> Ints.class;
            case I64 -> Longs.class;
            case F32 -> Floats.class;
            case F64 -> Doubles.class;
            case C64 -> ComplexFloats.class;
            case C128 -> ComplexDoubles.class;
        };
    }
}

package io.penstock.array;

import io.penstock.kernel.Bytes;
import io.penstock.kernel.ComplexDoubles;
import io.penstock.kernel.ComplexFloats;
import io.penstock.kernel.Doubles;
import io.penstock.kernel.ElementFunction;
import io.penstock.kernel.ElementView;
import io.penstock.kernel.Floats;
import io.penstock.kernel.Ints;
import io.penstock.kernel.Longs;
import io.penstock.runtime.Device;
import io.penstock.runtime.Queue;

/** Operations element by element as kernels: one launch over arrays of any types and strides, which are read and written once. */
final class ElementKernels {
    private ElementKernels() {}

    /** {@code y = x}, converted, for arrays of one shape. */
    static void convert(NDArray y, NDArray x) {
        map(OperationFunctions.identity(x.dtype(), y.dtype()), y, x);
    }

    /** {@code y = op(x)}, computed in a working type. */
    static void unary(UnaryOp op, DType type, NDArray y, NDArray x) {
        map(OperationFunctions.of(op, type), y, x);
    }

    /**
     * {@code z = op(x, y)}, computed in a working type.
     *
     * @param x an array or a number
     * @param y an array or a number
     */
    static void binary(BinaryOp op, DType type, NDArray z, Object x, Object y) {
        map(OperationFunctions.of(op, type), z, x, y);
    }

    /** {@code out = f(in...)} for arrays of one shape on one device, and numbers. */
    static void map(ElementFunction function, NDArray out, Object... in) {
        Object[] operands = operands(out, in);
        Queue queue = requireCompiler(device(operands)).queue();
        if (out.size() == 0) return;
        launch(KnownMap.of(function, operands), queue, function, operands);
    }

    private static void launch(KnownMap map, Queue queue, ElementFunction function, Object[] operands) {
        map.launch(queue, function, operands);
        for (Object operand : operands) if (operand instanceof NDArray array) Alive.until(array);
    }

    /**
     * {@code out = f(in...)} for arrays of the JVM, where the kernel is ready; whether it was. Where it is not the elements count as
     * those that a loop does.
     *
     * @param longestRow rows longer than that are left to loops
     */
    static boolean mapIfReady(long longestRow, ElementFunction function, NDArray out, Object... in) {
        Object[] operands = operands(out, in);
        KnownMap map = KnownMap.of(function, operands);
        if (!map.isOneLaunch() || map.row() > longestRow) return false;
        KernelUse use = map.use(function);
        if (!use.isReady()) {
            use.loopDoes(out.size(), () -> map.kernel(function));
            return false;
        }
        launch(map, Device.jvm().queue(), function, operands);
        return true;
    }

    private static Object[] operands(NDArray out, Object[] in) {
        Object[] operands = new Object[1 + in.length];
        operands[0] = out;
        System.arraycopy(in, 0, operands, 1, in.length);
        return operands;
    }

    /** The one device of all arrays; those of one operation lie on one. */
    private static Device device(Object[] operands) {
        Device device = ((NDArray) operands[0]).device();
        for (Object operand : operands) if (operand instanceof NDArray array) Placement.requireSame(device, array);
        return device;
    }

    /** A device, known to run kernels. */
    static Device requireCompiler(Device device) {
        if (Placement.computes(device)) return device;
        throw new UnsupportedOperationException(
                device.name() + " compiles no kernels, which operations on elements need; use toHost()");
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

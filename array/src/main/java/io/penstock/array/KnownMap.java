package io.penstock.array;

import io.penstock.kernel.ElementFunction;
import io.penstock.kernel.ElementView;
import io.penstock.kernel.Kernel;
import io.penstock.kernel.RangedKernel;
import io.penstock.kernel.ViewLayout;
import io.penstock.runtime.Queue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A map that was made before: all that follows from the function, and from types, shapes and strides of the arrays. It is found by
 * these alone; a launch then takes views where the arrays lie, and no more.
 *
 * <p>Arrays and numbers are operands; the first is the array that is written.
 */
final class KnownMap {
    /** The most axes that a kernel's range has; along further ones each index is a launch. */
    private static final int MOST_AXES = 3;

    /** How many maps of one function are remembered, a power of two. */
    private static final int SLOTS = 64;

    /** By the class of the function's lambda. Threads overwrite each other's maps, which does no harm: these never change. */
    private static final ClassValue<KnownMap[]> KNOWN = new ClassValue<>() {
        @Override
        protected KnownMap[] computeValue(Class<?> type) {
            return new KnownMap[SLOTS];
        }
    };

    /** What the map was made for: an array's type, or the class of a number. */
    private static final class Operand {
        private final @Nullable DType dtype;
        private final Class<?> type;
        private final long[] shape;
        private final long[] strides;

        Operand(Object operand) {
            if (operand instanceof NDArray a) {
                dtype = a.dtype();
                type = ElementKernels.type(a.dtype());
                shape = a.shape();
                strides = a.strides();
            } else {
                dtype = null;
                type = number(operand);
                shape = strides = new long[0];
            }
        }

        private static Class<?> number(Object operand) {
            if (operand instanceof Complex) return Complex.class;
            return operand instanceof Long ? long.class : double.class;
        }

        boolean fits(Object operand) {
            if (operand instanceof NDArray a)
                return a.dtype() == dtype && Arrays.equals(a.extents(), shape) && Arrays.equals(a.steps(), strides);
            return type == number(operand);
        }
    }

    private final Operand[] operands;
    private final List<Class<?>> types;
    private final long[] shape;
    /** Of the axes beyond a kernel's: extents, and the elements that each operand advances. */
    private final long[] outer;

    private final long[][] outerSteps;
    /** For each operand that is an array, how its elements lie, and where the walk begins, in elements from the array's first. */
    private final @Nullable ViewLayout[] layouts;

    private final long[] begins;

    /** The kernel of the function that was launched last; racing threads find the same. */
    private @Nullable Ready ready;

    private @Nullable KernelUse use;

    private record Ready(ElementFunction function, RangedKernel kernel) {}

    private KnownMap(Object[] all) {
        int n = all.length;
        operands = new Operand[n];
        for (int k = 0; k < n; k++) operands[k] = new Operand(all[k]);
        types = new ArrayList<>();
        for (int k = 1; k < n; k++) types.add(operands[k].type);
        NDArray[] arrays = Arrays.stream(all)
                .filter(NDArray.class::isInstance)
                .map(NDArray.class::cast)
                .toArray(NDArray[]::new);
        Walk walk = Walk.forward(arrays);
        int beyond = Math.max(0, walk.axes() - MOST_AXES);
        outer = Arrays.copyOf(walk.shape(), beyond);
        outerSteps = new long[beyond][n];
        shape = Arrays.copyOfRange(walk.shape(), beyond, walk.axes());
        layouts = new ViewLayout[n];
        begins = new long[n];
        int array = 0;
        for (int k = 0; k < n; k++) {
            DType dtype = operands[k].dtype;
            if (dtype == null) continue;
            int bytes = dtype.bytes();
            long[] strides = new long[shape.length];
            for (int d = 0; d < walk.axes(); d++) {
                long step = walk.step(d, array) / bytes;
                if (d < beyond) outerSteps[d][k] = step;
                else strides[d - beyond] = step;
            }
            layouts[k] = ViewLayout.of(ElementKernels.type(dtype), shape, strides);
            begins[k] = (walk.start(array) - arrays[array].startByte()) / bytes;
            array++;
        }
    }

    /** The map of a function over operands, remembered. */
    static KnownMap of(ElementFunction function, Object[] operands) {
        KnownMap[] known = KNOWN.get(function.site());
        int slot = slot(operands);
        KnownMap one = known[slot];
        if (one == null || !one.fits(operands)) known[slot] = one = new KnownMap(operands);
        return one;
    }

    private static int slot(Object[] operands) {
        long sum = 0;
        for (Object operand : operands) {
            if (!(operand instanceof NDArray a)) continue;
            sum = sum * 31 + a.dtype().bytes();
            long[] extents = a.extents();
            long[] steps = a.steps();
            for (int d = 0; d < extents.length; d++) sum = (sum * 31 + extents[d]) * 31 + steps[d];
        }
        sum *= 0x9e3779b97f4a7c15L;
        return (int) (sum >>> 58) & (SLOTS - 1);
    }

    private boolean fits(Object[] given) {
        if (given.length != operands.length) return false;
        for (int k = 0; k < given.length; k++) if (!operands[k].fits(given[k])) return false;
        return true;
    }

    /** Whether one launch does all elements. */
    boolean isOneLaunch() {
        return outer.length == 0;
    }

    /** How many elements follow each other evenly in all arrays. */
    long row() {
        return shape[shape.length - 1];
    }

    /** Whether the kernel is ready on the JVM. */
    KernelUse use(ElementFunction function) {
        KernelUse known = use;
        if (known == null) use = known = KernelUse.of(function.site(), operands[0].type, types, shape.length);
        return known;
    }

    /** The kernel of a function over these types; made when there is none. */
    Kernel kernel(ElementFunction function) {
        return function.map(operands[0].type.asSubclass(ElementView.class), types, shape.length);
    }

    private RangedKernel ranged(ElementFunction function) {
        Ready known = ready;
        if (known == null || known.function != function)
            ready = known = new Ready(function, kernel(function).over(shape));
        return known.kernel;
    }

    /** Runs a function on operands that the map fits. */
    void launch(Queue queue, ElementFunction function, Object[] given) {
        RangedKernel kernel = ranged(function);
        long[] at = new long[given.length];
        int numbers = 0;
        for (int k = 0; k < given.length; k++) {
            if (given[k] instanceof NDArray array)
                at[k] = array.startByte() / array.dtype().bytes() + begins[k];
            else if (given[k] instanceof Complex) numbers++;
        }
        launch(queue, kernel, given, at, given.length + numbers, 0);
    }

    private void launch(Queue queue, RangedKernel kernel, Object[] given, long[] at, int arguments, int axis) {
        if (axis == outer.length) {
            kernel.launch(queue, arguments(given, at, arguments));
            return;
        }
        long[] here = at.clone();
        for (long i = 0; i < outer[axis]; i++) {
            launch(queue, kernel, given, here, arguments, axis + 1);
            for (int k = 0; k < here.length; k++) here[k] += outerSteps[axis][k];
        }
    }

    private Object[] arguments(Object[] given, long[] at, int count) {
        Object[] arguments = new Object[count];
        int next = 0;
        for (int k = 0; k < given.length; k++) {
            ViewLayout layout = layouts[k];
            if (given[k] instanceof NDArray array && layout != null) {
                arguments[next++] = layout.view(array.buffer(), at[k]);
            } else if (given[k] instanceof Complex number) {
                arguments[next++] = number.re();
                arguments[next++] = number.im();
            } else arguments[next++] = given[k];
        }
        return arguments;
    }
}

package io.penstock.kernel;

import io.penstock.runtime.Access;
import io.penstock.runtime.Buffer;
import io.penstock.runtime.DriverQueue;
import io.penstock.runtime.MemoryKind;
import io.penstock.runtime.Queue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Fits the arguments of a launch to the kernel's parameters. */
final class Arguments {
    private Arguments() {}

    /** What a kernel is given: the captured values, then each argument as its parameter's type; of records the numbers. */
    static Object[] bind(Kernel kernel, Object[] arguments) {
        Objects.requireNonNull(arguments, "arguments is null");
        Implementation implementation = kernel.implementation();
        if (arguments.length != implementation.arguments())
            throw new IllegalArgumentException(kernel + " was given " + arguments.length + " arguments; expected "
                    + implementation.arguments() + ": " + ParameterNames.describe(implementation));
        Object[] captured = kernel.captured();
        for (Object value : captured) {
            if (value == null)
                throw new IllegalArgumentException(
                        kernel + " captures null; expected primitives, records or element views");
            if (value instanceof ElementView view) requireOpen(view);
        }
        if (implementation.takesRecords()) return bindRecords(implementation, captured, arguments);
        Object[] values = Arrays.copyOf(captured, captured.length + arguments.length, Object[].class);
        for (int k = 0; k < arguments.length; k++) values[captured.length + k] = bound(implementation, k, arguments[k]);
        return values;
    }

    private static Object[] bindRecords(Implementation implementation, Object[] captured, Object[] arguments) {
        List<Object> values = new ArrayList<>();
        for (int k = 0; k < captured.length; k++) add(captured[k], implementation.capturedRecord(k), values);
        for (int k = 0; k < arguments.length; k++)
            add(bound(implementation, k, arguments[k]), implementation.record(k), values);
        return values.toArray();
    }

    private static Object bound(Implementation implementation, int k, Object given) {
        Object value = convert(implementation, k, given);
        if (value instanceof ElementView view) requireOpen(view);
        return value;
    }

    private static void add(Object value, @Nullable RecordArgument record, List<Object> values) {
        if (record == null) values.add(value);
        else record.append(value, values);
    }

    /**
     * Sees that a queue's work can use the arguments where they lie.
     *
     * @throws IllegalArgumentException naming the first that it cannot use
     */
    static void requireUsable(Kernel kernel, Queue queue, Object[] values) {
        int captured = kernel.captured().length;
        for (int k = kernel.implementation().capturedValues(); k < values.length; k++)
            if (values[k] instanceof ElementView view && !isUsable(queue, view.buffer()))
                throw new IllegalArgumentException(describe(
                                kernel.implementation(), kernel.implementation().parameterOf(k) - captured - 1)
                        + " lies on device "
                        + view.buffer().device().name() + "; expected device "
                        + queue.device().name() + ", which the launch's queue belongs to"
                        + (queue instanceof DriverQueue ? ", or one whose memory that reaches" : "")
                        + "; an array is copied there by to(Device.named(\""
                        + queue.device().name() + "\"))");
    }

    private static boolean isUsable(Queue queue, Buffer buffer) {
        if (buffer.device().equals(queue.device())) return true;
        // Drivers copy the JVM's memory but do not let kernels use it.
        return queue instanceof DriverQueue && buffer.kind() != MemoryKind.HOST && queue.canUse(buffer);
    }

    /** What a launch touches, given the bound values and the arguments that they end with. */
    static List<Access> accesses(Implementation implementation, Object[] values, Object[] arguments) {
        List<Access> accesses = new ArrayList<>(values.length);
        int first = implementation.captured() + 1;
        for (int k = 0; k < values.length; k++) {
            if (!(values[k] instanceof ElementView view)) continue;
            int argument = implementation.parameterOf(k) - first;
            boolean writes = argument < 0 || !(arguments[argument] instanceof ReadOnly);
            accesses.add(new Access(view.buffer(), view.region(), writes));
        }
        return accesses;
    }

    /**
     * Sees that the memory of all views is there.
     *
     * @throws IllegalStateException when some was freed
     */
    static void requireOpen(Object[] values) {
        for (Object value : values) if (value instanceof ElementView view) requireOpen(view);
    }

    /** A view has an address of its own, which outlives the memory that it was of. */
    private static void requireOpen(ElementView view) {
        long _ = view.buffer().address();
    }

    private static Object convert(Implementation implementation, int k, Object given) {
        Class<?> type = implementation.argument(k);
        if (given == null)
            throw new IllegalArgumentException(
                    describe(implementation, k) + " is null; expected " + type.getSimpleName());
        if (ElementView.class.isAssignableFrom(type)) {
            if (given instanceof KernelArgument argument) {
                ElementView view = argument.elements();
                if (type.isInstance(view)) return view;
                throw new IllegalArgumentException(describe(implementation, k) + " is an array of "
                        + view.getClass().getSimpleName() + "; expected " + type.getSimpleName());
            }
        } else if (type.isRecord()) {
            if (type.isInstance(given)) return given;
        } else {
            Object value = Scalars.widen(given, type);
            if (value != null) return value;
        }
        boolean isArray = given.getClass().isArray();
        throw new IllegalArgumentException(describe(implementation, k) + " is " + (isArray ? "" : given + ", ") + "a "
                + given.getClass().getSimpleName() + "; expected " + type.getSimpleName()
                + (isArray ? " (NDArray.of makes such an argument of Java's arrays)" : ""));
    }

    private static String describe(Implementation implementation, int k) {
        return "argument " + (k + 1) + " (" + ParameterNames.of(implementation).get(k) + ") of kernel "
                + implementation.name();
    }
}

package io.penstock.kernel;

import io.penstock.runtime.Access;
import io.penstock.runtime.Device;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Fits the arguments of a launch to the kernel's parameters. */
final class Arguments {
    private Arguments() {}

    /** What the loop passes to the kernel: the captured values, then each argument as its parameter's type. */
    static Object[] bind(Kernel kernel, Device device, Object[] arguments) {
        Objects.requireNonNull(arguments, "arguments is null");
        Implementation implementation = kernel.implementation();
        if (arguments.length != implementation.arguments())
            throw new IllegalArgumentException(kernel + " was given " + arguments.length + " arguments; expected "
                    + implementation.arguments() + ": " + ParameterNames.describe(implementation));
        Object[] captured = kernel.captured();
        Object[] values = new Object[captured.length + arguments.length];
        for (int k = 0; k < captured.length; k++) {
            if (captured[k] == null)
                throw new IllegalArgumentException(kernel + " captures null; expected primitives or element views");
            if (captured[k] instanceof ElementView view) requireOpen(view);
            values[k] = captured[k];
        }
        for (int k = 0; k < arguments.length; k++) {
            Object value = convert(implementation, k, arguments[k]);
            if (value instanceof ElementView view && !view.buffer().device().equals(device))
                throw new IllegalArgumentException(describe(implementation, k) + " lies on device "
                        + view.buffer().device().name() + "; expected device " + device.name()
                        + ", which the launch's queue belongs to");
            if (value instanceof ElementView view) requireOpen(view);
            values[captured.length + k] = value;
        }
        return values;
    }

    /** What a launch touches, given the bound values and the arguments that they end with. */
    static List<Access> accesses(Object[] values, Object[] arguments) {
        List<Access> accesses = new ArrayList<>(values.length);
        int captured = values.length - arguments.length;
        for (int k = 0; k < values.length; k++) {
            if (!(values[k] instanceof ElementView view)) continue;
            boolean writes = k < captured || !(arguments[k - captured] instanceof ReadOnly);
            accesses.add(new Access(view.buffer(), view.region(), writes));
        }
        return accesses;
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
        } else {
            Object value = Scalars.widen(given, type);
            if (value != null) return value;
        }
        throw new IllegalArgumentException(describe(implementation, k) + " is " + given + ", a "
                + given.getClass().getSimpleName() + "; expected " + type.getSimpleName());
    }

    private static String describe(Implementation implementation, int k) {
        return "argument " + (k + 1) + " (" + ParameterNames.of(implementation).get(k) + ") of kernel "
                + implementation.name();
    }
}

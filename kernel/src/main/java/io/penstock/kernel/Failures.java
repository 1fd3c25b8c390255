package io.penstock.kernel;

import io.penstock.kernel.ir.Position;
import io.penstock.runtime.Device;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Says where and with what a kernel failed. */
final class Failures {
    private Failures() {}

    static KernelException describe(Kernel kernel, Device device, Range range, Object[] values, ItemFailure failure) {
        Implementation implementation = kernel.implementation();
        Throwable cause = failure.thrown();
        StackTraceElement frame = frame(implementation, failure);
        String message = "kernel " + kernel.name()
                + (frame == null ? "" : " (" + frame.getFileName() + ":" + frame.getLineNumber() + ")")
                + " failed on device " + device.name() + " at work-item "
                + range.describe(failure.x(), failure.y(), failure.z()) + " of " + range.describe()
                + (range.group().chosen()
                        ? ", in group " + range.describeGroup(failure.x(), failure.y(), failure.z())
                        : "")
                + ": "
                + reason(implementation, values, cause);
        return new KernelException(message, kernel.name(), frame == null ? -1 : frame.getLineNumber(), failure);
    }

    /** The line that the kernel's author would look at: the innermost of the kernel's own class. */
    private static @Nullable StackTraceElement frame(Implementation implementation, ItemFailure failure) {
        String shown = implementation.shownClass();
        for (Position p = failure.position(); p != null; p = p.caller())
            if (p.method().startsWith(shown + ".")) return new StackTraceElement(shown, p.method(), p.file(), p.line());
        for (StackTraceElement frame : failure.thrown().getStackTrace())
            if (Implementation.shown(frame.getClassName()).equals(shown)) return frame;
        return null;
    }

    private static String reason(Implementation implementation, Object[] values, Throwable cause) {
        if (cause instanceof NeedsGroupException) {
            RuntimeException refusal = implementation.translation().refusal();
            if (refusal != null) return cause.getMessage() + "; this one is not: " + refusal.getMessage();
        }
        if (cause instanceof ThrownByKernel) return String.valueOf(cause.getMessage());
        if (!(cause instanceof ElementIndexException index)) return cause.toString();
        List<String> names = ParameterNames.all(implementation);
        for (int k = 0; k < values.length; k++) {
            if (values[k] == index.view())
                return "array " + names.get(implementation.parameterOf(k)) + ": " + cause.getMessage();
        }
        return String.valueOf(cause.getMessage());
    }
}

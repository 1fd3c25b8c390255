package io.penstock.kernel;

import io.penstock.kernel.ir.Position;
import io.penstock.kernel.ir.PrivateArray;
import io.penstock.kernel.ir.Text;
import io.penstock.kernel.ir.Thrown;
import io.penstock.kernel.ir.Value;
import io.penstock.kernel.jvm.KernelFault;
import io.penstock.kernel.jvm.Site;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes of a fault of compiled code what the item would have thrown as plain Java, with the lines of its source. */
final class Faulted {
    private Faulted() {}

    /**
     * The failure of an item.
     *
     * @param loader finds the classes of exceptions that the kernel throws
     */
    static ItemFailure failure(
            Site site, KernelFault fault, Object[] values, Range range, @Nullable ClassLoader loader) {
        Throwable thrown = thrown(site, fault, values, range, loader);
        List<StackTraceElement> trace = new ArrayList<>();
        for (Position p = site.position(); p != null; p = p.caller()) trace.add(frame(p));
        trace.addAll(List.of(thrown.getStackTrace()));
        thrown.setStackTrace(trace.toArray(StackTraceElement[]::new));
        return new ItemFailure(thrown, site.position(), fault.x(), fault.y(), fault.z());
    }

    private static Throwable thrown(
            Site site, KernelFault fault, Object[] values, Range range, @Nullable ClassLoader loader) {
        if (site.thrown() != null) return exception(site.thrown(), site.numbers(fault), loader);
        Value array = site.array();
        if (array == null) return new ArithmeticException("/ by zero");
        long[] indices = site.indices(fault);
        return switch (array.operation()) {
            case PARAMETER -> ((ElementView) values[array.parameter().index()]).outsideOfShape(indices);
            case PRIVATE_ARRAY ->
                FailurePlace.outsideOwn(
                        indices[0], array.attribute(PrivateArray.class).length());
            default -> FailurePlace.outsideShared(indices, Interpreter.localShape(array, new ViewSizes(values, range)));
        };
    }

    /** An exception of the class that the kernel names; one with its text where its constructor cannot be called. */
    private static Throwable exception(Thrown thrown, List<Object> numbers, @Nullable ClassLoader loader) {
        try {
            Class<?> type = Class.forName(thrown.exception(), true, loader);
            Text message = thrown.message();
            if (message == null) return (Throwable) type.getConstructor().newInstance();
            // AssertionError has no constructor that takes a string as such.
            Class<?> parameter = type == AssertionError.class ? Object.class : String.class;
            return (Throwable) type.getConstructor(parameter).newInstance(message.with(numbers));
        } catch (ReflectiveOperationException | ClassCastException e) {
            return new ThrownByKernel(thrown.with(numbers));
        }
    }

    private static StackTraceElement frame(Position position) {
        int split = position.method().lastIndexOf('.');
        return new StackTraceElement(
                position.method().substring(0, split),
                position.method().substring(split + 1),
                position.file(),
                position.line());
    }
}

package io.penstock.kernel;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.penstock.kernel.c.FailureSite;
import io.penstock.kernel.c.KernelSource;
import io.penstock.kernel.ir.Operation;
import io.penstock.kernel.ir.PrivateArray;
import io.penstock.kernel.ir.Thrown;
import io.penstock.kernel.ir.Value;
import io.penstock.runtime.Device;
import io.penstock.runtime.FailureReader;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Reads the failure records of one launch; the layout is that of {@code Failure} in generated programs. */
final class RecordedFailures implements FailureReader {
    private static final long SITE = 8;
    private static final long ITEM = 16;
    private static final long NUMBERS = 40;

    private final Kernel kernel;
    private final Device device;
    private final Range range;
    private final Object[] values;
    private final KernelSource source;

    RecordedFailures(Kernel kernel, Device device, Range range, Object[] values, KernelSource source) {
        this.kernel = kernel;
        this.device = device;
        this.range = range;
        this.values = values;
        this.source = source;
    }

    @Override
    public RuntimeException read(MemorySegment record) {
        List<FailureSite> sites = source.sites();
        int site = record.get(JAVA_INT, SITE);
        if (site < 0 || site >= sites.size())
            return new IllegalStateException("kernel " + kernel.name() + " has left a failure record on device "
                    + device.name() + " that names place " + site + "; expected 0 to " + (sites.size() - 1));
        long[] numbers = new long[3];
        for (int k = 0; k < numbers.length; k++) numbers[k] = record.get(JAVA_LONG, NUMBERS + (long) Long.BYTES * k);
        Value value = sites.get(site).value();
        return Failures.describe(
                kernel,
                device,
                range,
                values,
                new ItemFailure(
                        thrown(value, numbers),
                        value.position(),
                        record.get(JAVA_LONG, ITEM),
                        record.get(JAVA_LONG, ITEM + Long.BYTES),
                        record.get(JAVA_LONG, ITEM + 2 * Long.BYTES)));
    }

    /** What Java would have thrown. */
    private Throwable thrown(Value value, long[] numbers) {
        if (value.operation() == Operation.FAIL) return new ThrownByKernel(message(value, numbers));
        if (!value.operation().isAccess()) return new ArithmeticException("/ by zero");
        long[] index = java.util.Arrays.copyOf(numbers, value.indices().size());
        if (value.isGlobal())
            return ((ElementView) values[value.array().parameter().index()]).outsideOfShape(index);
        if (value.array().operation() == Operation.PRIVATE_ARRAY)
            return new ArrayIndexOutOfBoundsException("index " + index[0] + " in an array of "
                    + value.array().attribute(PrivateArray.class).length() + " elements");
        long[] shape = Interpreter.localShape(value.array(), new ViewSizes(values, range));
        return new IndexOutOfBoundsException("index " + Footprint.describe(index) + " in an array of shape "
                + Footprint.describe(shape) + " that the group shares");
    }

    private static String message(Value fail, long[] numbers) {
        List<Object> all = new ArrayList<>();
        for (int k = 0; k < fail.operands().size(); k++)
            all.add(
                    switch (fail.operand(k).type()) {
                        case FLOAT -> Float.intBitsToFloat((int) numbers[k]);
                        case DOUBLE -> Double.longBitsToDouble(numbers[k]);
                        case INT -> (int) numbers[k];
                        default -> numbers[k];
                    });
        return fail.attribute(Thrown.class).with(all);
    }
}

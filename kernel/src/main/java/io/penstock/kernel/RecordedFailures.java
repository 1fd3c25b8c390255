package io.penstock.kernel;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.penstock.runtime.Device;
import io.penstock.runtime.FailureReader;
import java.lang.foreign.MemorySegment;
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
    private final List<FailurePlace> places;

    RecordedFailures(Kernel kernel, Device device, Range range, Object[] values, List<FailurePlace> places) {
        this.kernel = kernel;
        this.device = device;
        this.range = range;
        this.values = values;
        this.places = places;
    }

    @Override
    public RuntimeException read(MemorySegment record) {
        int site = record.get(JAVA_INT, SITE);
        if (site < 0 || site >= places.size())
            return new IllegalStateException("kernel " + kernel.name() + " has left a failure record on device "
                    + device.name() + " that names place " + site + "; expected 0 to " + (places.size() - 1));
        long[] numbers = new long[3];
        for (int k = 0; k < numbers.length; k++) numbers[k] = record.get(JAVA_LONG, NUMBERS + (long) Long.BYTES * k);
        FailurePlace place = places.get(site);
        return Failures.describe(
                kernel,
                device,
                range,
                values,
                new ItemFailure(
                        place.thrown(values, numbers),
                        place.position(),
                        record.get(JAVA_LONG, ITEM),
                        record.get(JAVA_LONG, ITEM + Long.BYTES),
                        record.get(JAVA_LONG, ITEM + 2 * Long.BYTES)));
    }
}

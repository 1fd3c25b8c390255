package io.penstock.bench.gpu;

import io.penstock.kernel.Floats;
import io.penstock.runtime.Buffer;
import io.penstock.runtime.Device;
import io.penstock.runtime.MemoryKind;
import io.penstock.runtime.Queue;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;
import java.util.function.LongToDoubleFunction;

/** Looks at some elements of what a case has computed. */
record Samples(Queue queue) {
    private static final int MANY = 24;

    /** Throws unless some elements, the first and the last among them, are close to what they should be. */
    void check(String name, Floats found, double tolerance, LongToDoubleFunction expected) {
        SplittableRandom random = new SplittableRandom(1);
        long n = found.length();
        for (int k = 0; k < MANY; k++) {
            long place = k == 0 ? 0 : k == 1 ? n - 1 : random.nextLong(n);
            double value = element(found, place);
            double wanted = expected.applyAsDouble(place);
            if (Math.abs(value - wanted) > tolerance)
                throw new IllegalStateException(
                        name + ": element " + place + " is " + value + "; expected " + wanted + " +- " + tolerance);
        }
    }

    float element(Floats view, long place) {
        try (Buffer host = Device.jvm().allocate(Float.BYTES, MemoryKind.HOST)) {
            queue.copy(view.buffer().slice(place * Float.BYTES, Float.BYTES), host);
            return host.segment().get(ValueLayout.JAVA_FLOAT, 0);
        }
    }
}

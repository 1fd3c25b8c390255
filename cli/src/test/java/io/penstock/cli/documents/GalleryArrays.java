package io.penstock.cli.documents;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.penstock.kernel.Bytes;
import io.penstock.kernel.ComplexDoubles;
import io.penstock.kernel.Doubles;
import io.penstock.kernel.ElementView;
import io.penstock.kernel.Floats;
import io.penstock.kernel.Ints;
import io.penstock.runtime.Buffer;
import io.penstock.runtime.Device;
import io.penstock.runtime.MemoryKind;
import io.penstock.runtime.Queue;
import java.lang.foreign.MemorySegment;

/** Carries Java's arrays to a device's memory and back, by way of a queue. */
final class GalleryArrays {
    private final Queue queue;

    /** On a queue of a device. */
    GalleryArrays(Queue queue) {
        this.queue = queue;
    }

    /** The queue that carries. */
    Queue queue() {
        return queue;
    }

    Floats floats(float[] values, long... shape) {
        return Floats.of(send(MemorySegment.ofArray(values)), shape);
    }

    Doubles doubles(double... values) {
        return Doubles.of(send(MemorySegment.ofArray(values)), values.length);
    }

    Ints ints(int[] values, long... shape) {
        return Ints.of(send(MemorySegment.ofArray(values)), shape);
    }

    Bytes bytes(byte[] values, long... shape) {
        return Bytes.of(send(MemorySegment.ofArray(values)), shape);
    }

    /** Complex numbers, each given by its parts. */
    ComplexDoubles complex(double... parts) {
        return ComplexDoubles.of(send(MemorySegment.ofArray(parts)), parts.length / 2);
    }

    float[] read(Floats view) {
        return receive(view).toArray(JAVA_FLOAT);
    }

    double[] read(Doubles view) {
        return receive(view).toArray(JAVA_DOUBLE);
    }

    double[] read(ComplexDoubles view) {
        return receive(view).toArray(JAVA_DOUBLE);
    }

    int[] read(Ints view) {
        return receive(view).toArray(JAVA_INT);
    }

    byte[] read(Bytes view) {
        return receive(view).toArray(JAVA_BYTE);
    }

    private Buffer send(MemorySegment values) {
        Buffer host = host(values.byteSize());
        host.segment().copyFrom(values);
        Buffer there = queue.device().allocate(values.byteSize(), kind());
        queue.copy(host, there);
        return there;
    }

    private MemorySegment receive(ElementView view) {
        Buffer host = host(view.buffer().bytes());
        queue.copy(view.buffer(), host);
        return host.segment();
    }

    private static Buffer host(long bytes) {
        return Device.jvm().allocate(bytes, MemoryKind.HOST);
    }

    private MemoryKind kind() {
        return queue.device().equals(Device.jvm()) ? MemoryKind.HOST : MemoryKind.DEVICE;
    }
}

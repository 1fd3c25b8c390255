package io.penstock.comm;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.runtime.Buffer;
import io.penstock.runtime.Device;
import io.penstock.runtime.MemoryKind;
import io.penstock.runtime.Scope;
import org.jspecify.annotations.Nullable;

/**
 * The elements of one or several arrays as one contiguous range of memory, which is what MPI sends and receives: an array's
 * own memory where that is contiguous, which costs nothing, and otherwise a pooled buffer that they are packed into.
 */
final class Parcel {
    private final NDArray[] arrays;
    private final @Nullable Buffer packed;
    private final long address;
    private final long count;

    private Parcel(NDArray[] arrays, @Nullable Buffer packed, long address, long count) {
        this.arrays = arrays;
        this.packed = packed;
        this.address = address;
        this.count = count;
    }

    /** An array that is sent; work under way that only reads it goes on. */
    static Parcel out(NDArray array) {
        if (array.isContiguous()) return new Parcel(new NDArray[] {array}, null, place(array, false), array.size());
        return inOut(array);
    }

    /** An array that is sent and received in place. */
    static Parcel inOut(NDArray array) {
        Parcel parcel = in(array);
        parcel.pack();
        return parcel;
    }

    /** An array that is received; {@link #arrived} puts the elements in their places. */
    static Parcel in(NDArray array) {
        if (array.isContiguous()) return new Parcel(new NDArray[] {array}, null, place(array, true), array.size());
        return buffered(new NDArray[] {array});
    }

    /** Where an array begins, in the host's or a device's memory, once that is free for whoever reads or writes it. */
    static long place(NDArray array, boolean writes) {
        Buffer buffer = array.buffer();
        if (buffer.isHostAddressable()) return writes ? array.address() : array.addressToRead();
        CheckedCommunicator.awaitMemory(array, writes);
        return buffer.address() - buffer.offset() + array.region().offset();
    }

    /** Arrays one after the other in a buffer, not filled. */
    static Parcel buffered(NDArray[] arrays) {
        long count = 0;
        for (NDArray array : arrays) count += array.size();
        Buffer buffer = buffer(count * arrays[0].dtype().bytes());
        return new Parcel(arrays, buffer, buffer.address(), count);
    }

    /** Arrays one after the other, in their own memory if that is how they lie there, all of it apart from {@code other}. */
    static Parcel out(NDArray[] parts, NDArray other) {
        long next = -1;
        long count = 0;
        for (NDArray part : parts) {
            if (part.size() == 0) continue;
            boolean follows = part.isContiguous() && (next < 0 || part.address() == next);
            if (!follows || overlap(part, other)) {
                Parcel parcel = buffered(parts);
                parcel.pack();
                return parcel;
            }
            next = part.address() + CheckedCommunicator.bytes(part);
            count += part.size();
        }
        long bytes = count * other.dtype().bytes();
        return new Parcel(parts, null, count == 0 ? 0 : next - bytes, count);
    }

    private static boolean overlap(NDArray a, NDArray b) {
        return a.buffer().allocation() == b.buffer().allocation();
    }

    /** Memory from the pool that belongs to no scope. */
    static Buffer buffer(long bytes) {
        return Scope.outside(() -> Device.jvm().allocate(bytes, MemoryKind.HOST));
    }

    private void pack() {
        if (packed == null) return;
        long at = address;
        for (NDArray array : arrays) {
            if (array.size() > 0) ArrayCopy.pack(array, 0, array.size(), at);
            at += CheckedCommunicator.bytes(array);
        }
    }

    /** Puts what was received where it belongs, and gives the buffer back. */
    void arrived() {
        if (packed == null) return;
        long at = address;
        for (NDArray array : arrays) {
            if (array.size() > 0) ArrayCopy.unpack(array, 0, array.size(), at);
            at += CheckedCommunicator.bytes(array);
        }
        packed.close();
    }

    /** Gives the buffer back. */
    void sent() {
        if (packed != null) packed.close();
    }

    long address() {
        return address;
    }

    /** How many elements it has. */
    long count() {
        return count;
    }

    DType dtype() {
        return arrays[0].dtype();
    }
}

package io.penstock.distributed;

import io.penstock.array.NDArray;
import io.penstock.runtime.Device;
import java.util.ArrayList;
import java.util.List;

/**
 * What travels in place of arrays on a device that have gaps. How arrays on devices travel depends on whether they are contiguous, and it
 * must be one way for all ranks, of which some might have views without gaps by chance.
 */
final class Packed implements AutoCloseable {
    private final List<NDArray> arrays;
    private final List<NDArray> packed;

    private Packed(List<NDArray> arrays, List<NDArray> packed) {
        this.arrays = arrays;
        this.packed = packed;
    }

    /** Whether arrays where this one lies should travel packed. */
    static boolean areNeeded(NDArray array) {
        return !array.device().equals(Device.jvm());
    }

    /** The arrays themselves where they are contiguous, and copies of the others. */
    static Packed toSend(List<NDArray> arrays) {
        return new Packed(arrays, arrays.stream().map(NDArray::contiguous).toList());
    }

    /** The arrays themselves where they are contiguous, and memory in place of the others. */
    static Packed toReceive(List<NDArray> arrays) {
        List<NDArray> packed = new ArrayList<>(arrays.size());
        for (NDArray array : arrays)
            packed.add(array.isContiguous() ? array : array.space().empty());
        return new Packed(arrays, packed);
    }

    List<NDArray> arrays() {
        return packed;
    }

    /** Brings what was received to where it belongs. */
    void unpack() {
        for (int i = 0; i < arrays.size(); i++) if (isCopy(i)) arrays.get(i).assign(packed.get(i));
    }

    @SuppressWarnings("ReferenceEquality") // a copy is another array
    private boolean isCopy(int i) {
        return arrays.get(i) != packed.get(i);
    }

    @Override
    public void close() {
        for (int i = 0; i < arrays.size(); i++) if (isCopy(i)) packed.get(i).close();
    }
}

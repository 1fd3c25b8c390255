package io.penstock.kernel.c;

import io.penstock.kernel.ir.KernelCode;
import io.penstock.kernel.ir.LocalArray;
import io.penstock.kernel.ir.Value;
import java.util.List;
import java.util.function.Function;

/**
 * Where the arrays that a group shares lie within its memory.
 *
 * @param offsets where each begins, in bytes, in the order of {@link KernelCode#localArrays}
 * @param bytes how much memory there is in all
 */
public record SharedLayout(List<Long> offsets, long bytes) {
    private static final long ALIGNMENT = 16;

    /**
     * The layout of a kernel's arrays.
     *
     * @param shape tells the extents of an array
     * @throws IllegalArgumentException when an extent is negative, or the arrays are too large to be counted
     */
    public static SharedLayout of(KernelCode code, Function<Value, long[]> shape) {
        List<Long> offsets = new java.util.ArrayList<>();
        long next = 0;
        for (Value array : code.localArrays()) {
            offsets.add(next);
            long bytes = array.attribute(LocalArray.class).element().bytes();
            try {
                for (long extent : shape.apply(array)) {
                    if (extent < 0)
                        throw new IllegalArgumentException("an array that a group shares in " + array.position()
                                + " has extent " + extent + "; expected 0 or more");
                    bytes = Math.multiplyExact(bytes, extent);
                }
                next = Math.addExact(next, (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
            } catch (ArithmeticException e) {
                throw new IllegalArgumentException(
                        "the arrays that a group shares in " + code.name() + " have more than 2^63 - 1 bytes", e);
            }
        }
        return new SharedLayout(offsets, next);
    }

    /** Whether all extents are constants of the code, so that every launch has the same layout. */
    static boolean isFixed(KernelCode code) {
        return code.localArrays().stream()
                .allMatch(array -> array.operands().stream().allMatch(Value::isInteger));
    }

    /** The layout where it is fixed. */
    static SharedLayout fixed(KernelCode code) {
        return of(
                code,
                array -> array.operands().stream().mapToLong(Value::integer).toArray());
    }
}

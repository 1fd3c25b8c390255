package io.penstock.kernel.jvm;

import io.penstock.kernel.ir.Position;
import io.penstock.kernel.ir.Thrown;
import io.penstock.kernel.ir.Value;
import io.penstock.kernel.ir.ValueType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A place where an item can fail: an access by an index outside, a division by zero, or an exception that the kernel throws.
 *
 * @param position where that is in the source
 * @param array the array of the access; null where there is none
 * @param thrown what the kernel throws; null where it does not
 * @param types the types of the indices, or of the numbers in the exception's message
 */
public record Site(
        @Nullable Position position,
        @Nullable Value array,
        @Nullable Thrown thrown,
        List<ValueType> types) {
    static Site of(Value failing, List<Value> numbers) {
        return new Site(
                failing.position(),
                failing.operation().isAccess() ? failing.array() : null,
                failing.operation() == io.penstock.kernel.ir.Operation.FAIL ? failing.attribute(Thrown.class) : null,
                numbers.stream().map(Value::type).toList());
    }

    /** The indices of an access. */
    public long[] indices(KernelFault fault) {
        long[] indices = new long[types.size()];
        for (int k = 0; k < indices.length; k++) indices[k] = fault.word(k);
        return indices;
    }

    /** The numbers of an exception's message. */
    public List<Object> numbers(KernelFault fault) {
        List<Object> numbers = new ArrayList<>();
        for (int k = 0; k < types.size(); k++) {
            long word = fault.word(k);
            numbers.add(
                    switch (types.get(k)) {
                        case LONG -> word;
                        case FLOAT -> Float.intBitsToFloat((int) word);
                        case DOUBLE -> Double.longBitsToDouble(word);
                        default -> (int) word;
                    });
        }
        return numbers;
    }
}

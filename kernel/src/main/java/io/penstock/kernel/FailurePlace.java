package io.penstock.kernel;

import io.penstock.kernel.c.FailureSite;
import io.penstock.kernel.ir.Operation;
import io.penstock.kernel.ir.Position;
import io.penstock.kernel.ir.PrivateArray;
import io.penstock.kernel.ir.Thrown;
import io.penstock.kernel.ir.Value;
import io.penstock.kernel.ir.ValueType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A place in a kernel where an item can fail, as far as messages need it.
 *
 * @param position where the source has it, if that is known
 */
record FailurePlace(Kind kind, @Nullable Position position) {
    /** What fails there. */
    sealed interface Kind {}

    /** An integer is divided by zero. */
    record Division() implements Kind {}

    /** A view's index is outside: the view's position among the launch's values, and how many indices the access has. */
    record OfView(int parameter, int indices) implements Kind {}

    /** The index of an array of the item's own is outside. */
    record OfOwnArray(int length) implements Kind {}

    /** The index of an array that the group shares is outside; its shape in this launch. */
    record OfSharedArray(int indices, List<Long> shape) implements Kind {}

    /** An exception is thrown, with numbers of these types in its message. */
    record OfThrow(Thrown thrown, List<ValueType> numbers) implements Kind {}

    /** The places of generated code, in the order of their numbers, for launches of one shape. */
    static List<FailurePlace> of(List<FailureSite> sites, ViewSizes sizes) {
        List<FailurePlace> all = new ArrayList<>();
        for (FailureSite site : sites)
            all.add(new FailurePlace(kind(site.value(), sizes), site.value().position()));
        return List.copyOf(all);
    }

    private static Kind kind(Value value, ViewSizes sizes) {
        if (value.operation() == Operation.FAIL) {
            List<ValueType> numbers = new ArrayList<>();
            for (Value number : value.operands()) numbers.add(number.type());
            return new OfThrow(value.attribute(Thrown.class), numbers);
        }
        if (!value.operation().isAccess()) return new Division();
        int indices = value.indices().size();
        if (value.isGlobal()) return new OfView(value.array().parameter().index(), indices);
        if (value.array().operation() == Operation.PRIVATE_ARRAY)
            return new OfOwnArray(value.array().attribute(PrivateArray.class).length());
        List<Long> shape = new ArrayList<>();
        for (long extent : Interpreter.localShape(value.array(), sizes)) shape.add(extent);
        return new OfSharedArray(indices, shape);
    }

    /**
     * What Java would have thrown.
     *
     * @param values the launch's values
     * @param numbers what the item has recorded: the indices, or the numbers of a message
     */
    Throwable thrown(Object[] values, long[] numbers) {
        return switch (kind) {
            case Division _ -> new ArithmeticException("/ by zero");
            case OfView(int parameter, int indices) ->
                ((ElementView) values[parameter]).outsideOfShape(Arrays.copyOf(numbers, indices));
            case OfOwnArray(int length) -> outsideOwn(numbers[0], length);
            case OfSharedArray(int indices, List<Long> shape) ->
                outsideShared(
                        Arrays.copyOf(numbers, indices),
                        shape.stream().mapToLong(Long::longValue).toArray());
            case OfThrow(Thrown thrown, List<ValueType> types) ->
                new ThrownByKernel(thrown.with(message(types, numbers)));
        };
    }

    /** What Java throws for an index outside an array of the item's own. */
    static RuntimeException outsideOwn(long index, int length) {
        return new ArrayIndexOutOfBoundsException("Index " + index + " out of bounds for length " + length);
    }

    /** What is thrown for indices outside an array that the group shares. */
    static RuntimeException outsideShared(long[] indices, long[] shape) {
        return new IndexOutOfBoundsException("index " + Footprint.describe(indices) + " in an array of shape "
                + Footprint.describe(shape) + " that the group shares");
    }

    private static List<Object> message(List<ValueType> types, long[] numbers) {
        List<Object> all = new ArrayList<>();
        for (int k = 0; k < types.size(); k++)
            all.add(
                    switch (types.get(k)) {
                        case FLOAT -> Float.intBitsToFloat((int) numbers[k]);
                        case DOUBLE -> Double.longBitsToDouble(numbers[k]);
                        case INT -> (int) numbers[k];
                        default -> numbers[k];
                    });
        return all;
    }
}

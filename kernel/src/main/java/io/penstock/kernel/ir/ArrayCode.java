package io.penstock.kernel.ir;

import java.lang.classfile.TypeKind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Java arrays in a kernel, which are private to an item, and views of the memory that a group shares. */
final class ArrayCode {
    /** More than an item should keep; devices put what does not fit their registers into slow memory. */
    private static final int MOST_ELEMENTS = 1 << 16;

    private final Emission emission;

    ArrayCode(Emission emission) {
        this.emission = emission;
    }

    /** A new array; Java's smaller integers are narrowed when they are stored. */
    Value create(TypeKind type, Value length) {
        if (!length.isConstant())
            throw emission.refuse(
                    "creates an array of a computed length",
                    "write its length as a constant, or share memory in the group by at.localFloats and the like");
        int elements = length.attribute(Integer.class);
        if (elements < 0 || elements > MOST_ELEMENTS)
            throw emission.refuse(
                    "creates an array of " + elements + " elements", "use 0 to " + MOST_ELEMENTS + " elements");
        Element element = switch (type) {
            case LONG -> Element.LONG;
            case FLOAT -> Element.FLOAT;
            case DOUBLE -> Element.DOUBLE;
            default -> Element.INT;
        };
        Value array = emission.add(
                Operation.PRIVATE_ARRAY,
                ValueType.REFERENCE,
                new PrivateArray(emission.nextArray(), element, elements),
                List.of());
        Operation narrowing = switch (type) {
            case BYTE -> Operation.TO_BYTE;
            case SHORT -> Operation.TO_SHORT;
            case CHAR -> Operation.TO_CHAR;
            case BOOLEAN -> Operation.AND;
            default -> null;
        };
        if (narrowing != null) emission.narrowings().put(array, narrowing);
        return array;
    }

    Value length(Value array) {
        return emission.constant(
                ValueType.INT, require(array).attribute(PrivateArray.class).length());
    }

    Value load(Value array, Value index) {
        Element element = java.util.Objects.requireNonNull(require(array).element());
        return emission.add(Operation.LOAD, element.type(), 0, List.of(array, wide(index)));
    }

    void store(Value array, Value index, Value value) {
        Operation narrowing = emission.narrowings().get(require(array));
        emission.add(Operation.STORE, ValueType.NOTHING, 0, List.of(array, wide(index), narrow(value, narrowing)));
    }

    private Value narrow(Value value, @Nullable Operation narrowing) {
        if (narrowing == null) return value;
        if (narrowing == Operation.AND)
            return emission.add(Operation.AND, ValueType.INT, value, emission.constant(ValueType.INT, 1));
        return emission.add(narrowing, ValueType.INT, value);
    }

    private Value wide(Value index) {
        return emission.add(Operation.CONVERT, ValueType.LONG, index);
    }

    private Value require(Value array) {
        if (array.operation() == Operation.PRIVATE_ARRAY) return array;
        throw emission.refuse("uses a Java array that it has not created", "use a view such as Floats");
    }

    /** The view that {@code at.localFloats} and its like give. */
    Value local(Element element, List<Value> extents) {
        return emission.add(
                Operation.LOCAL_ARRAY, ValueType.REFERENCE, new LocalArray(emission.nextArray(), element), extents);
    }

    /** The answer to a question about a view of shared memory, whose extents are at hand; null where there is none. */
    @Nullable
    Value ask(Value local, Query query) {
        List<Value> extents = local.operands();
        int rank = extents.size();
        Value one = emission.constant(ValueType.LONG, 1L);
        return switch (query) {
            case COLUMNS -> extents.getLast();
            case ROWS -> rank < 2 ? one : extents.get(rank - 2);
            case PLANES -> rank < 3 ? one : extents.getFirst();
            case DIMENSIONS -> emission.constant(ValueType.INT, rank);
            case LENGTH -> {
                Value product = extents.getFirst();
                for (Value extent : new ArrayList<>(extents.subList(1, rank)))
                    product = emission.add(Operation.MUL, ValueType.LONG, product, extent);
                yield product;
            }
            case EXTENT_0 -> extents.getFirst();
            case EXTENT_1 -> rank < 2 ? null : extents.get(1);
            case EXTENT_2 -> rank < 3 ? null : extents.get(2);
            default -> null;
        };
    }
}

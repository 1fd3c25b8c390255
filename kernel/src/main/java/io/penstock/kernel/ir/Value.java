package io.penstock.kernel.ir;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A value of the intermediate form: computed once each time that its block runs, from values that are computed before. */
public final class Value {
    private final Operation operation;
    private final ValueType type;
    private final @Nullable Object attribute;
    private final @Nullable Position position;
    private List<Value> operands;
    private int number = -1;

    /**
     * A value.
     *
     * @param attribute what the operation needs beside its operands; see {@link Operation}
     * @param position where the source computes it
     */
    public Value(
            Operation operation,
            ValueType type,
            @Nullable Object attribute,
            List<Value> operands,
            @Nullable Position position) {
        this.operation = operation;
        this.type = type;
        this.attribute = attribute;
        this.operands = List.copyOf(operands);
        this.position = position;
    }

    static Value constant(ValueType type, Object number) {
        return new Value(Operation.CONSTANT, type, number, List.of(), null);
    }

    /** What computes it. */
    public Operation operation() {
        return operation;
    }

    /** Its type. */
    public ValueType type() {
        return type;
    }

    /** What it is computed from. */
    public List<Value> operands() {
        return operands;
    }

    /** One of the values that it is computed from. */
    public Value operand(int k) {
        return operands.get(k);
    }

    /** Where the source computes it, if that is known. */
    public @Nullable Position position() {
        return position;
    }

    /** The attribute as what the operation says it is. */
    public <T> T attribute(Class<T> type) {
        return type.cast(java.util.Objects.requireNonNull(attribute, "attribute is null"));
    }

    @Nullable
    Object attribute() {
        return attribute;
    }

    /** Its number within the kernel, from 0. */
    public int number() {
        return number;
    }

    void number(int number) {
        this.number = number;
    }

    void operands(List<Value> operands) {
        this.operands = List.copyOf(operands);
    }

    /** The parameter that a view (an operand of a load, store or query) or scalar is. */
    public Parameter parameter() {
        return attribute(Parameter.class);
    }

    /** The array of a load, store or atomic change: a {@code PARAMETER}, {@code LOCAL_ARRAY} or {@code PRIVATE_ARRAY}. */
    public Value array() {
        return operands.getFirst();
    }

    /** Whether a load, store or atomic change is of a view that the launch was given. */
    public boolean isGlobal() {
        return operation.isAccess() && array().operation == Operation.PARAMETER;
    }

    /** What the elements of an array are; null for what is no array. */
    public @Nullable Element element() {
        return switch (operation) {
            case PARAMETER -> parameter().element();
            case LOCAL_ARRAY -> attribute(LocalArray.class).element();
            case PRIVATE_ARRAY -> attribute(PrivateArray.class).element();
            default -> null;
        };
    }

    /** The indices of a load, store or atomic change. */
    public List<Value> indices() {
        int values = switch (operation) {
            case STORE -> 1;
            case ATOMIC -> attribute(Atomic.class).operands();
            default -> 0;
        };
        return operands.subList(1, operands.size() - values);
    }

    /** Whether each computation gives a result of its own, so that two never are one. */
    boolean isUnique() {
        return operation == Operation.PRIVATE_ARRAY
                || operation.isAccess()
                || operation == Operation.BARRIER
                || operation == Operation.FAIL;
    }

    boolean isConstant() {
        return operation == Operation.CONSTANT;
    }

    /** Whether it is a constant {@code INT} or {@code LONG}. */
    public boolean isInteger() {
        return isConstant() && type.isInteger();
    }

    /** The number that a constant integer is. */
    public long integer() {
        return attribute(Number.class).longValue();
    }

    /** Whether it is a constant integer of that value. */
    boolean isInteger(long constant) {
        return isConstant() && type.isInteger() && attribute(Number.class).longValue() == constant;
    }

    /** Whether computing it can fail or changes memory, so that it must be computed where and when it stands. */
    public boolean hasEffect() {
        return switch (operation) {
            case LOAD, STORE, ATOMIC, BARRIER, FAIL -> true;
            case DIV, REM ->
                type.isInteger() && (!operand(1).isConstant() || operand(1).isInteger(0));
            default -> false;
        };
    }

    @Override
    public String toString() {
        return Listing.name(this);
    }
}

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

    /** The indices of a load or store. */
    public List<Value> indices() {
        return operands.subList(1, operation == Operation.STORE ? operands.size() - 1 : operands.size());
    }

    boolean isConstant() {
        return operation == Operation.CONSTANT;
    }

    /** Whether it is a constant integer of that value. */
    boolean isInteger(long constant) {
        return isConstant() && type.isInteger() && attribute(Number.class).longValue() == constant;
    }

    /** Whether computing it can fail or changes memory, so that it must be computed where and when it stands. */
    public boolean hasEffect() {
        return switch (operation) {
            case LOAD, STORE -> true;
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

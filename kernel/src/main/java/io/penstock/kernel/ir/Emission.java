package io.penstock.kernel.ir;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Where the front end stands while it writes code: the block it appends to, and the place in the source. */
final class Emission {
    /** More values than any sensible kernel has; calls that inline more than this grow without end in practice. */
    private static final int MOST_VALUES = 100_000;

    private final Map<Object, Value> constants = new HashMap<>();
    private final List<String> calls = new ArrayList<>();
    /** The fields of objects under construction. */
    private final Map<Value, Map<String, Value>> fields = new HashMap<>();
    /** What storing to an array of Java's smaller integers does to a number first. */
    private final Map<Value, Operation> narrowings = new HashMap<>();

    private final ParsedClasses classes;
    private int arrays;
    private Block block;
    private Position position;
    private int emitted;

    Emission(ParsedClasses classes, Block entry, Position position) {
        this.classes = classes;
        this.block = entry;
        this.position = position;
    }

    ParsedClasses classes() {
        return classes;
    }

    /** The methods that are being inlined, the kernel first. */
    List<String> calls() {
        return calls;
    }

    Block block() {
        return block;
    }

    void block(Block next) {
        block = next;
    }

    Position position() {
        return position;
    }

    void position(Position next) {
        position = next;
    }

    Value constant(ValueType type, Number number) {
        return constants.computeIfAbsent(number, n -> Value.constant(type, n));
    }

    Value text(String constant) {
        return constants.computeIfAbsent(
                Text.of(constant), text -> new Value(Operation.TEXT, ValueType.REFERENCE, text, List.of(), null));
    }

    Map<String, Value> fields(Value object) {
        return fields.computeIfAbsent(object, o -> new HashMap<>());
    }

    Map<Value, Operation> narrowings() {
        return narrowings;
    }

    /** A number that no other array of the kernel has. */
    int nextArray() {
        return arrays++;
    }

    Value add(Operation operation, ValueType type, Value... operands) {
        return add(operation, type, null, List.of(operands));
    }

    Value add(Operation operation, ValueType type, @Nullable Object attribute, List<Value> operands) {
        if (++emitted > MOST_VALUES)
            throw refuse("computes more than " + MOST_VALUES + " values with all calls inlined", "make it smaller");
        Value value = new Value(operation, type, attribute, operands, position);
        block.mutableValues().add(value);
        return value;
    }

    void jump(Block target, List<Value> arguments) {
        block.terminator(new Terminator.Jump(new Edge(target, arguments)));
    }

    KernelRefusedException refuse(String construct, String instead) {
        return new KernelRefusedException(position, construct, instead);
    }
}

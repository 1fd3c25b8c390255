package io.penstock.kernel.ir;

import java.lang.classfile.TypeKind;
import java.lang.classfile.attribute.StackMapFrameInfo;
import java.lang.classfile.attribute.StackMapFrameInfo.SimpleVerificationTypeInfo;
import java.lang.classfile.attribute.StackMapFrameInfo.VerificationTypeInfo;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The local variables and the stack of a method at one point, as values. */
final class FrameState {
    /** By slot; null where nothing usable is. The second slot of a long or double is null. */
    private final @Nullable Value[] locals;

    private final List<Value> stack;

    FrameState(int slots) {
        this.locals = new Value[slots];
        this.stack = new ArrayList<>();
    }

    private FrameState(FrameState other) {
        this.locals = other.locals.clone();
        this.stack = new ArrayList<>(other.stack);
    }

    FrameState copy() {
        return new FrameState(this);
    }

    Value local(int slot) {
        Value value = locals[slot];
        if (value == null) throw new IllegalStateException("local variable " + slot + " has no value");
        return value;
    }

    void local(int slot, Value value) {
        locals[slot] = value;
    }

    void push(Value value) {
        stack.add(value);
    }

    Value pop() {
        return stack.removeLast();
    }

    List<Value> pop(int count) {
        List<Value> top = stack.subList(stack.size() - count, stack.size());
        List<Value> popped = List.copyOf(top);
        top.clear();
        return popped;
    }

    private static boolean wide(Value value) {
        return value.type() == ValueType.LONG || value.type() == ValueType.DOUBLE;
    }

    /** Takes values of as many stack words from the top. */
    private List<Value> words(int words) {
        int count = 0;
        for (int left = words; left > 0; count++) left -= wide(stack.get(stack.size() - 1 - count)) ? 2 : 1;
        return pop(count);
    }

    void drop(int words) {
        words(words);
    }

    /** Repeats the top words below as many others. */
    void duplicate(int words, int below) {
        List<Value> top = words(words);
        List<Value> under = words(below);
        stack.addAll(top);
        stack.addAll(under);
        stack.addAll(top);
    }

    void swap() {
        Value top = pop();
        Value under = pop();
        push(top);
        push(under);
    }

    /** Puts another value wherever one is: an object in place of what was under construction. */
    void replace(Value old, Value by) {
        for (int k = 0; k < locals.length; k++) if (locals[k] == old) locals[k] = by;
        stack.replaceAll(value -> value == old ? by : value);
    }

    /** This state as the arguments of the block whose parameters another one was made of by {@link #atFrame}. */
    List<Value> arguments(FrameState target) {
        List<Value> arguments = new ArrayList<>();
        for (int k = 0; k < locals.length; k++) {
            Value there = target.locals[k];
            if (there != null && isPassed(there)) arguments.addAll(RecordShape.numbersOf(local(k)));
        }
        for (int k = 0; k < stack.size(); k++)
            if (isPassed(target.stack.get(k))) arguments.addAll(RecordShape.numbersOf(stack.get(k)));
        return arguments;
    }

    private static boolean isPassed(Value value) {
        return value.type() != ValueType.REFERENCE || value.operation() == Operation.RECORD;
    }

    /** The state in a block that begins with a frame: a parameter for each number, other references as they are. */
    FrameState atFrame(StackMapFrameInfo frame, Block block, Position position) {
        FrameState state = new FrameState(locals.length);
        int slot = 0;
        for (VerificationTypeInfo info : frame.locals()) {
            if (info != SimpleVerificationTypeInfo.TOP) state.locals[slot] = entry(info, locals[slot], block, position);
            slot += words(info);
        }
        for (int k = 0; k < frame.stack().size(); k++)
            state.push(java.util.Objects.requireNonNull(
                    entry(frame.stack().get(k), stack.get(k), block, position), "the stack has an empty entry"));
        return state;
    }

    private static @Nullable Value entry(
            VerificationTypeInfo info, @Nullable Value incoming, Block block, Position position) {
        ValueType type = number(info);
        if (type == null)
            return incoming != null && incoming.operation() == Operation.RECORD
                    ? incoming.attribute(RecordShape.class).parametersOf(block, position)
                    : incoming;
        Value parameter = new Value(Operation.PHI, type, null, List.of(), position);
        block.mutableParameters().add(parameter);
        return parameter;
    }

    /** Whether another state reaches a frame with the same references as this one, which was made for the frame. */
    boolean sameReferences(FrameState other) {
        for (int k = 0; k < locals.length; k++)
            if (locals[k] != null && !same(locals[k], other.locals[k])) return false;
        for (int k = 0; k < stack.size(); k++) if (!same(stack.get(k), other.stack.get(k))) return false;
        return true;
    }

    private static boolean same(Value here, @Nullable Value there) {
        if (here.type() != ValueType.REFERENCE || here == there) return true;
        return here.operation() == Operation.RECORD
                && there != null
                && there.operation() == Operation.RECORD
                && here.attribute(RecordShape.class).equals(there.attribute(RecordShape.class));
    }

    private static int words(VerificationTypeInfo info) {
        return info == SimpleVerificationTypeInfo.LONG || info == SimpleVerificationTypeInfo.DOUBLE ? 2 : 1;
    }

    private static @Nullable ValueType number(VerificationTypeInfo info) {
        return switch (info) {
            case SimpleVerificationTypeInfo.INTEGER -> ValueType.INT;
            case SimpleVerificationTypeInfo.LONG -> ValueType.LONG;
            case SimpleVerificationTypeInfo.FLOAT -> ValueType.FLOAT;
            case SimpleVerificationTypeInfo.DOUBLE -> ValueType.DOUBLE;
            default -> null;
        };
    }

    /** The type of a value of Java's types; arrays and objects are references. */
    static ValueType type(TypeKind kind) {
        return switch (kind.asLoadable()) {
            case INT -> ValueType.INT;
            case LONG -> ValueType.LONG;
            case FLOAT -> ValueType.FLOAT;
            case DOUBLE -> ValueType.DOUBLE;
            case VOID -> ValueType.NOTHING;
            default -> ValueType.REFERENCE;
        };
    }

    @Override
    public String toString() {
        return Arrays.toString(locals) + " " + stack;
    }
}

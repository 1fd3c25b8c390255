package io.penstock.kernel.ir;

import java.lang.classfile.Instruction;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.ArrayLoadInstruction;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.ConvertInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.IncrementInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.classfile.instruction.NewMultiArrayInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.NewPrimitiveArrayInstruction;
import java.lang.classfile.instruction.NewReferenceArrayInstruction;
import java.lang.classfile.instruction.NopInstruction;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.classfile.instruction.StackInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.classfile.instruction.TypeCheckInstruction;

/** Translates instructions that do not branch, and the tests of those that do. */
final class StraightCode {
    /**
     * What a conditional branch tests.
     *
     * @param negated whether the branch is taken where the condition does not hold
     */
    record Test(Value condition, boolean negated) {}

    private final Emission emission;
    private final Invocations invocations;
    private final Construction construction;
    private final ArrayCode arrays;

    StraightCode(Emission emission) {
        this.emission = emission;
        this.construction = new Construction(emission);
        this.arrays = new ArrayCode(emission);
        this.invocations = new Invocations(emission, construction, arrays);
    }

    void translate(Instruction instruction, FrameState state) {
        switch (instruction) {
            case LoadInstruction load -> state.push(state.local(load.slot()));
            case StoreInstruction store -> state.local(store.slot(), state.pop());
            case IncrementInstruction increment -> {
                Value by = emission.constant(ValueType.INT, increment.constant());
                state.local(
                        increment.slot(),
                        emission.add(Operation.ADD, ValueType.INT, state.local(increment.slot()), by));
            }
            case ConstantInstruction constant -> state.push(constant(constant));
            case OperatorInstruction operator -> operator(operator, state);
            case ConvertInstruction convert -> convert(convert, state);
            case StackInstruction stack -> stack(stack.opcode(), state);
            case InvokeInstruction call -> invocations.call(call, state);
            case FieldInstruction field -> construction.field(field, state);
            case NewObjectInstruction creation ->
                state.push(construction.create(creation.className().asInternalName()));
            case NewPrimitiveArrayInstruction creation -> state.push(arrays.create(creation.typeKind(), state.pop()));
            case ArrayLoadInstruction load -> {
                Value index = state.pop();
                state.push(arrays.load(state.pop(), index));
            }
            case ArrayStoreInstruction store -> {
                Value value = state.pop();
                Value index = state.pop();
                arrays.store(state.pop(), index, value);
            }
            case InvokeDynamicInstruction dynamic
            when dynamic.name().equalsString("makeConcatWithConstants") ->
                state.push(construction.concatenate(
                        dynamic, state.pop(dynamic.typeSymbol().parameterCount())));
            case NopInstruction _ -> {
                // Does nothing.
            }
            case TypeCheckInstruction check when check.opcode() == Opcode.CHECKCAST && fits(check, state) -> {
                // A cast of a generic parameter or result, which can only be what it is cast to.
            }
            default -> throw refuse(instruction);
        }
    }

    private static boolean fits(TypeCheckInstruction check, FrameState state) {
        String type = check.type().asInternalName();
        Value value = state.pop();
        state.push(value);
        return value.operation() == Operation.RECORD
                ? value.attribute(RecordShape.class).type().equals(type)
                : Element.ofView(type) != null;
    }

    /** Ends the item with the exception that {@code throw} is given. */
    void fail(Value exception) {
        construction.fail(exception);
    }

    private Value constant(ConstantInstruction constant) {
        if (constant.constantValue() instanceof String text) return emission.text(text);
        if (constant.constantValue() instanceof Number number)
            return emission.constant(FrameState.type(constant.typeKind()), number);
        throw emission.refuse(
                constant.opcode() == Opcode.ACONST_NULL ? "uses null" : "uses the object " + constant.constantValue(),
                "use numbers and views");
    }

    private void operator(OperatorInstruction operator, FrameState state) {
        Opcode opcode = operator.opcode();
        ValueType type = FrameState.type(operator.typeKind());
        String name = opcode.name().substring(1);
        switch (name) {
            case "CMP" -> compare(0, state);
            case "CMPL" -> compare(-1, state);
            case "CMPG" -> compare(1, state);
            case "NEG" -> state.push(emission.add(Operation.NEG, type, state.pop()));
            case "RRAYLENGTH" -> state.push(arrays.length(state.pop()));
            default -> {
                Value right = state.pop();
                state.push(emission.add(Operation.valueOf(name), type, state.pop(), right));
            }
        }
    }

    private void compare(int unordered, FrameState state) {
        state.push(emission.add(Operation.COMPARE, ValueType.INT, unordered, state.pop(2)));
    }

    private void convert(ConvertInstruction convert, FrameState state) {
        Value from = state.pop();
        TypeKind to = convert.toType();
        state.push(
                switch (to) {
                    case BYTE -> emission.add(Operation.TO_BYTE, ValueType.INT, from);
                    case SHORT -> emission.add(Operation.TO_SHORT, ValueType.INT, from);
                    case CHAR -> emission.add(Operation.TO_CHAR, ValueType.INT, from);
                    default -> emission.add(Operation.CONVERT, FrameState.type(to), from);
                });
    }

    private static void stack(Opcode opcode, FrameState state) {
        switch (opcode) {
            case POP -> state.drop(1);
            case POP2 -> state.drop(2);
            case DUP -> state.duplicate(1, 0);
            case DUP_X1 -> state.duplicate(1, 1);
            case DUP_X2 -> state.duplicate(1, 2);
            case DUP2 -> state.duplicate(2, 0);
            case DUP2_X1 -> state.duplicate(2, 1);
            case DUP2_X2 -> state.duplicate(2, 2);
            default -> state.swap();
        }
    }

    /** The test of a conditional branch, whose operands are popped. */
    Test condition(Opcode opcode, FrameState state) {
        String name = opcode.name();
        if (name.contains("NULL") || name.contains("ACMP"))
            throw emission.refuse("compares references", "compare numbers");
        Operation operation = Operation.valueOf(name.substring(name.length() - 2));
        if (name.startsWith("IF_ICMP"))
            return new Test(emission.add(operation, ValueType.CONDITION, null, state.pop(2)), false);
        Value tested = state.pop();
        if (tested.operation() != Operation.COMPARE) {
            Value zero = emission.constant(ValueType.INT, 0);
            return new Test(emission.add(operation, ValueType.CONDITION, tested, zero), false);
        }
        int unordered = tested.attribute(Integer.class);
        // A comparison of the intermediate form never holds for NaN, but for NE, which always does.
        boolean takenByNaN = switch (operation) {
            case LT, LE -> unordered < 0;
            case GT, GE -> unordered > 0;
            default -> false;
        };
        Operation asked = takenByNaN ? operation.negated() : operation;
        return new Test(emission.add(asked, ValueType.CONDITION, null, tested.operands()), takenByNaN);
    }

    private KernelRefusedException refuse(Instruction instruction) {
        return switch (instruction) {
            case InvokeDynamicInstruction _ ->
                emission.refuse("makes a lambda or switches over objects", "call a static method, switch over numbers");
            case MonitorInstruction _ -> emission.refuse("synchronizes", "let each item write elements of its own");
            case TypeCheckInstruction _ -> emission.refuse("tests or casts an object's type", "use views of one type");
            case NewReferenceArrayInstruction _, NewMultiArrayInstruction _ ->
                emission.refuse(
                        "creates an array of objects or of arrays",
                        "use one array of numbers for each component, and compute its index");
            default -> emission.refuse("uses a Java array or object", "use a view such as Floats");
        };
    }
}

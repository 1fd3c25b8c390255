package io.penstock.kernel.jvm;

import static java.lang.constant.ConstantDescs.CD_double;
import static java.lang.constant.ConstantDescs.CD_float;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;

import io.penstock.kernel.ir.Element;
import io.penstock.kernel.ir.MathFunction;
import io.penstock.kernel.ir.Operation;
import io.penstock.kernel.ir.Value;
import io.penstock.kernel.ir.ValueType;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.Opcode;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.Collections;
import java.util.Locale;

/** Operations on single numbers, in bytecode. */
final class ScalarOps {
    static final ClassDesc SEGMENT = ClassDesc.of("java.lang.foreign.MemorySegment");
    private static final ClassDesc HOST_MEMORY = ClassDesc.of("io.penstock.runtime.HostMemory");
    private static final ClassDesc LAYOUT = ClassDesc.of("java.lang.foreign.ValueLayout");
    private static final ClassDesc MATH = ClassDesc.of("java.lang.Math");
    private static final ClassDesc STRICT_MATH = ClassDesc.of("java.lang.StrictMath");

    /** Pushes the operands of an operation. */
    interface Operands {
        void push(Value operand);

        /** Whether what an operand is computed from can be pushed as well. */
        default boolean reach(Value operand) {
            return true;
        }

        /** Operands that are there while what they are computed from is not. */
        static Operands alone(Operands operands) {
            return new Operands() {
                @Override
                public void push(Value operand) {
                    operands.push(operand);
                }

                @Override
                public boolean reach(Value operand) {
                    return false;
                }
            };
        }
    }

    private ScalarOps() {}

    static ClassDesc type(ValueType type) {
        return switch (type) {
            case LONG -> CD_long;
            case FLOAT -> CD_float;
            case DOUBLE -> CD_double;
            default -> CD_int;
        };
    }

    static void constant(CodeBuilder code, Value constant) {
        switch (constant.attribute(Object.class)) {
            case Integer i -> code.loadConstant((int) i);
            case Long l -> code.loadConstant((long) l);
            case Float f -> code.loadConstant((float) f);
            case Double d -> code.loadConstant((double) d);
            case Boolean b -> code.loadConstant(b ? 1 : 0);
            default -> throw new IllegalArgumentException(constant + " is no constant of the JVM");
        }
    }

    /** Pushes what an operation on numbers gives. */
    static void compute(CodeBuilder code, Value value, Operands operands) {
        if (value.operation() == Operation.SELECT) {
            Label otherwise = code.newLabel();
            Label done = code.newLabel();
            jumpUnless(code, value.operand(0), operands, otherwise);
            operands.push(value.operand(1));
            code.goto_(done);
            code.labelBinding(otherwise);
            operands.push(value.operand(2));
            code.labelBinding(done);
            return;
        }
        for (Value operand : value.operands()) operands.push(operand);
        switch (value.operation()) {
            case CONVERT -> convert(code, value.operand(0).type(), value.type());
            case BITS -> bits(code, value.operand(0).type());
            case TO_BYTE -> code.i2b();
            case TO_SHORT -> code.i2s();
            case TO_CHAR -> code.i2c();
            case MATH -> {
                MathFunction function = value.attribute(MathFunction.class);
                code.invokestatic(
                        function.strict() ? STRICT_MATH : MATH,
                        function.name(),
                        MethodTypeDesc.of(CD_double, Collections.nCopies(function.arguments(), CD_double)));
            }
            case MIN, MAX, ABS, FMA -> {
                ClassDesc type = type(value.type());
                code.invokestatic(
                        MATH,
                        value.operation().name().toLowerCase(Locale.ROOT),
                        MethodTypeDesc.of(
                                type, Collections.nCopies(value.operands().size(), type)));
            }
            case SQRT -> {
                if (value.type() == ValueType.FLOAT) code.f2d();
                code.invokestatic(MATH, "sqrt", MethodTypeDesc.of(CD_double, CD_double));
                if (value.type() == ValueType.FLOAT) code.d2f();
            }
            default -> {
                String letter = switch (value.type()) {
                    case INT -> "I";
                    case LONG -> "L";
                    case FLOAT -> "F";
                    default -> "D";
                };
                code.with(java.lang.classfile.instruction.OperatorInstruction.of(
                        Opcode.valueOf(letter + value.operation().name())));
            }
        }
    }

    private static void convert(CodeBuilder code, ValueType from, ValueType to) {
        if (from == to) return;
        code.conversion(LaunchLocals.kind(from), LaunchLocals.kind(to));
    }

    /** Replaces the number on the stack by the other type's of its size with the same bits. */
    static void bits(CodeBuilder code, ValueType from) {
        switch (from) {
            case INT ->
                code.invokestatic(ConstantDescs.CD_Float, "intBitsToFloat", MethodTypeDesc.of(CD_float, CD_int));
            case LONG ->
                code.invokestatic(ConstantDescs.CD_Double, "longBitsToDouble", MethodTypeDesc.of(CD_double, CD_long));
            case FLOAT ->
                code.invokestatic(ConstantDescs.CD_Float, "floatToRawIntBits", MethodTypeDesc.of(CD_int, CD_float));
            default ->
                code.invokestatic(
                        ConstantDescs.CD_Double, "doubleToRawLongBits", MethodTypeDesc.of(CD_long, CD_double));
        }
    }

    /** Jumps where a condition does not hold; goes on where it does. */
    static void jumpUnless(CodeBuilder code, Value condition, Operands operands, Label otherwise) {
        if (condition.operation() == Operation.CONSTANT) {
            if (!condition.attribute(Boolean.class)) code.goto_(otherwise);
            return;
        }
        if (!condition.operation().isComparison()) {
            operands.push(condition);
            code.ifeq(otherwise);
            return;
        }
        Value a = condition.operand(0);
        operands.push(a);
        operands.push(condition.operand(1));
        Operation operation = condition.operation();
        if (a.type() == ValueType.INT) {
            code.branch(Opcode.valueOf("IF_ICMP" + operation.negated()), otherwise);
            return;
        }
        // An unordered pair gives what makes the jump be taken: no comparison but NE holds for NaN.
        boolean less = operation == Operation.LT || operation == Operation.LE;
        switch (a.type()) {
            case LONG -> code.lcmp();
            case FLOAT -> {
                if (less) code.fcmpg();
                else code.fcmpl();
            }
            default -> {
                if (less) code.dcmpg();
                else code.dcmpl();
            }
        }
        code.branch(Opcode.valueOf("IF" + operation.negated()), otherwise);
    }

    /** Pushes the segment of all memory. */
    static void memory(CodeBuilder code) {
        code.getstatic(HOST_MEMORY, "ALL", SEGMENT);
    }

    /** Pushes the number at the address on the stack, under which the segment lies. */
    static void load(CodeBuilder code, Element element) {
        access(code, element, "get");
    }

    /** As {@link #load}, of a number of a type. */
    static void load(CodeBuilder code, ValueType type) {
        load(code, element(type));
    }

    private static Element element(ValueType type) {
        return switch (type) {
            case LONG -> Element.LONG;
            case FLOAT -> Element.FLOAT;
            case DOUBLE -> Element.DOUBLE;
            default -> Element.INT;
        };
    }

    /** Stores a number; the segment, the layout, the address and the number are on the stack. */
    static void store(CodeBuilder code, Element element) {
        access(code, element, "set");
    }

    static void store(CodeBuilder code, ValueType type) {
        store(code, element(type));
    }

    private static String layout(Element element) {
        return switch (element) {
            case BYTE -> "JAVA_BYTE";
            case INT -> "JAVA_INT_UNALIGNED";
            case LONG -> "JAVA_LONG_UNALIGNED";
            case FLOAT, COMPLEX_FLOAT -> "JAVA_FLOAT_UNALIGNED";
            case DOUBLE, COMPLEX_DOUBLE -> "JAVA_DOUBLE_UNALIGNED";
        };
    }

    private static ClassDesc layoutType(Element element) {
        String name = switch (element) {
            case BYTE -> "OfByte";
            case INT -> "OfInt";
            case LONG -> "OfLong";
            case FLOAT, COMPLEX_FLOAT -> "OfFloat";
            case DOUBLE, COMPLEX_DOUBLE -> "OfDouble";
        };
        return LAYOUT.nested(name);
    }

    /** Pushes the segment and the layout of elements in it, on which an address, and for stores a number, are to follow. */
    static void memory(CodeBuilder code, Element element) {
        memory(code);
        code.getstatic(LAYOUT, layout(element), layoutType(element));
    }

    static void memory(CodeBuilder code, ValueType type) {
        memory(code, element(type));
    }

    private static void access(CodeBuilder code, Element element, String name) {
        ClassDesc number = element == Element.BYTE ? ConstantDescs.CD_byte : type(element.type());
        MethodTypeDesc type = name.equals("get")
                ? MethodTypeDesc.of(number, layoutType(element), CD_long)
                : MethodTypeDesc.of(ConstantDescs.CD_void, layoutType(element), CD_long, number);
        code.invokeinterface(SEGMENT, name, type);
    }
}

package io.penstock.kernel.jvm;

import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import io.penstock.kernel.ir.Element;
import io.penstock.kernel.ir.Operation;
import io.penstock.kernel.ir.ValueType;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.nio.ByteOrder;

/**
 * Calls of the Vector API, in bytecode. Species, operators and the segment of all memory are static constants of the classes
 * they belong to, as the JVM's compiler needs them to be.
 */
final class VectorOps {
    private static final String PACKAGE = "jdk.incubator.vector.";
    private static final ClassDesc VECTOR = ClassDesc.of(PACKAGE + "Vector");
    private static final ClassDesc MASK = ClassDesc.of(PACKAGE + "VectorMask");
    private static final ClassDesc SPECIES = ClassDesc.of(PACKAGE + "VectorSpecies");
    private static final ClassDesc OPERATORS = ClassDesc.of(PACKAGE + "VectorOperators");
    private static final ClassDesc BYTES = ClassDesc.of(PACKAGE + "ByteVector");
    private static final ClassDesc ORDER = ClassDesc.of("java.nio.ByteOrder");

    private final CodeBuilder code;
    private final int lanes;

    VectorOps(CodeBuilder code, int lanes) {
        this.code = code;
        this.lanes = lanes;
    }

    static ClassDesc vector(ValueType type) {
        return ClassDesc.of(PACKAGE
                + switch (type) {
                    case LONG -> "LongVector";
                    case FLOAT -> "FloatVector";
                    case DOUBLE -> "DoubleVector";
                    default -> "IntVector";
                });
    }

    private static int bytes(ValueType type) {
        return type == ValueType.LONG || type == ValueType.DOUBLE ? 8 : 4;
    }

    private static ClassDesc vector(Element element) {
        return element == Element.BYTE ? BYTES : vector(element.type());
    }

    private void species(ClassDesc vector, int bytes) {
        code.getstatic(vector, "SPECIES_" + 8 * bytes * lanes, SPECIES);
    }

    void species(ValueType type) {
        species(vector(type), bytes(type));
    }

    private void species(Element element) {
        species(vector(element), element.bytes());
    }

    private void order() {
        code.getstatic(
                ORDER, ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? "LITTLE_ENDIAN" : "BIG_ENDIAN", ORDER);
    }

    /** Pushes zeros. */
    void zero(ValueType type) {
        species(type);
        code.invokestatic(vector(type), "zero", MethodTypeDesc.of(vector(type), SPECIES));
    }

    /** Pushes a number in all lanes, whose pushing is given. */
    void broadcast(ValueType type, Runnable push) {
        species(type);
        push.run();
        code.invokestatic(vector(type), "broadcast", MethodTypeDesc.of(vector(type), SPECIES, ScalarOps.type(type)));
    }

    /** Adds a multiple of the lane's number to each lane of the vector on the stack. */
    void addIndex(ValueType type, int step) {
        code.loadConstant(step).invokevirtual(vector(type), "addIndex", MethodTypeDesc.of(vector(type), CD_int));
    }

    /** Pushes the mask of a type's vectors that the bits in a local variable stand for. */
    void mask(ValueType type, int bits) {
        species(type);
        mask(bits);
    }

    private void mask(int bits) {
        code.lload(bits).invokestatic(MASK, "fromLong", MethodTypeDesc.of(MASK, SPECIES, CD_long));
    }

    /** Takes the lanes of a mask from the upper of two vectors on the stack. */
    void blend(ValueType type, int bits) {
        mask(type, bits);
        code.invokevirtual(vector(type), "blend", MethodTypeDesc.of(vector(type), VECTOR, MASK));
    }

    /** Loads as many elements as there are lanes, from the address whose pushing is given; those of a mask, if its bits are not -1. */
    void load(Element element, Runnable address, int bits) {
        species(element);
        ScalarOps.memory(code);
        address.run();
        order();
        ClassDesc vector = vector(element);
        if (bits < 0) {
            code.invokestatic(
                    vector, "fromMemorySegment", MethodTypeDesc.of(vector, SPECIES, ScalarOps.SEGMENT, CD_long, ORDER));
        } else {
            species(element);
            mask(bits);
            code.invokestatic(
                    vector,
                    "fromMemorySegment",
                    MethodTypeDesc.of(vector, SPECIES, ScalarOps.SEGMENT, CD_long, ORDER, MASK));
        }
        if (element == Element.BYTE) convert("B2I", vector(ValueType.INT), 4);
    }

    /** Stores the vector on the stack. */
    void store(Element element, Runnable address, int bits) {
        if (element == Element.BYTE) convert("I2B", BYTES, 1);
        ScalarOps.memory(code);
        address.run();
        order();
        if (bits < 0) {
            code.invokevirtual(
                    vector(element),
                    "intoMemorySegment",
                    MethodTypeDesc.of(CD_void, ScalarOps.SEGMENT, CD_long, ORDER));
        } else {
            species(element);
            mask(bits);
            code.invokevirtual(
                    vector(element),
                    "intoMemorySegment",
                    MethodTypeDesc.of(CD_void, ScalarOps.SEGMENT, CD_long, ORDER, MASK));
        }
    }

    /** As {@link #load} of all lanes, from scratch. */
    void reload(ValueType type, Runnable address) {
        load(element(type), address, -1);
    }

    void spill(ValueType type, Runnable address) {
        store(element(type), address, -1);
    }

    private static Element element(ValueType type) {
        return switch (type) {
            case LONG -> Element.LONG;
            case FLOAT -> Element.FLOAT;
            case DOUBLE -> Element.DOUBLE;
            default -> Element.INT;
        };
    }

    private void convert(String conversion, ClassDesc to, int bytes) {
        ClassDesc type = OPERATORS.nested("Conversion");
        code.getstatic(OPERATORS, conversion, type);
        species(to, bytes);
        code.iconst_0();
        code.invokevirtual(VECTOR, "convertShape", MethodTypeDesc.of(VECTOR, type, SPECIES, CD_int));
        code.checkcast(to);
    }

    private static char letter(ValueType type) {
        return type.name().charAt(0);
    }

    /** Casts the vector on the stack as Java casts each of its numbers. */
    void convert(ValueType from, ValueType to) {
        if (from != to) convert(letter(from) + "2" + letter(to), vector(to), bytes(to));
    }

    /** The vector on the stack as numbers of the other type of the same size, by their bits. */
    void bits(ValueType from) {
        ValueType to = switch (from) {
            case INT -> ValueType.FLOAT;
            case LONG -> ValueType.DOUBLE;
            case FLOAT -> ValueType.INT;
            default -> ValueType.LONG;
        };
        String name = switch (to) {
            case INT -> "reinterpretAsInts";
            case LONG -> "reinterpretAsLongs";
            case FLOAT -> "reinterpretAsFloats";
            default -> "reinterpretAsDoubles";
        };
        code.invokevirtual(vector(from), name, MethodTypeDesc.of(vector(to)));
    }

    /** An operation with one, two or three vectors of one type on the stack, the operator not yet: their pushing is given. */
    void compute(Operation operation, ValueType type, Runnable... operands) {
        ClassDesc vector = vector(type);
        operands[0].run();
        String method = switch (operation) {
            case ADD, SUB, MUL, DIV, MIN, MAX -> operation.name().toLowerCase(java.util.Locale.ROOT);
            default -> null;
        };
        if (method != null) {
            operands[1].run();
            code.invokevirtual(vector, method, MethodTypeDesc.of(vector, VECTOR));
            return;
        }
        String arity = operands.length == 1 ? "Unary" : operands.length == 2 ? "Binary" : "Ternary";
        String operator = switch (operation) {
            case SHL -> "LSHL";
            case SHR -> "ASHR";
            case USHR -> "LSHR";
            default -> operation.name();
        };
        ClassDesc operatorType = OPERATORS.nested(arity);
        ClassDesc fieldType = fieldType(operator, operatorType);
        code.getstatic(OPERATORS, operator, fieldType);
        for (int k = 1; k < operands.length; k++) operands[k].run();
        MethodTypeDesc signature = switch (operands.length) {
            case 1 -> MethodTypeDesc.of(vector, operatorType);
            case 2 -> MethodTypeDesc.of(vector, operatorType, VECTOR);
            default -> MethodTypeDesc.of(vector, operatorType, VECTOR, VECTOR);
        };
        code.invokevirtual(vector, "lanewise", signature);
    }

    /** AND, OR and XOR are declared as operators that associate. */
    private static ClassDesc fieldType(String operator, ClassDesc otherwise) {
        return switch (operator) {
            case "AND", "OR", "XOR" -> OPERATORS.nested("Associative");
            default -> otherwise;
        };
    }

    /** Pushes the bits of the lanes where a comparison of two vectors holds. */
    void compare(Operation operation, ValueType type, Runnable a, Runnable b) {
        ClassDesc comparison = OPERATORS.nested("Comparison");
        a.run();
        code.getstatic(OPERATORS, operation.name(), comparison);
        b.run();
        code.invokevirtual(vector(type), "compare", MethodTypeDesc.of(MASK, comparison, VECTOR));
        code.invokevirtual(MASK, "toLong", MethodTypeDesc.of(CD_long));
    }
}

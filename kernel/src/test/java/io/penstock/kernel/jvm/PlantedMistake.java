package io.penstock.kernel.jvm;

import io.penstock.kernel.ir.KernelCode;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.invoke.MethodHandles;
import java.util.function.UnaryOperator;

/** What a compiler of vectors that does not know Java, or masks, well would have emitted; each changes some instructions. */
public enum PlantedMistake {
    /** Takes less for less or equal. */
    LESS("field LT LE"),
    /** Takes greater or equal for greater. */
    GREATER("field GE GT"),
    /** Takes unequal for equal. */
    UNEQUAL("field NE EQ"),
    /** Copies the sign where zeros should come. */
    UNSIGNED_SHIFT("field LSHR ASHR"),
    /** Changes the sign of what should lose it. */
    ABSOLUTE("field ABS NEG"),
    /** Keeps bits of either where those of both are asked for. */
    BITS("field AND OR"),
    /** Takes the lesser for the greater. */
    MAXIMUM("method max min"),
    /** Subtracts what should be added. */
    SUM("method add sub"),
    /** Adds what should be multiplied. */
    PRODUCT("method mul add"),
    /** Lets lanes that took another way overwrite what others have. */
    BLEND("drop blend"),
    /** Gives all lanes the index of the first. */
    INDEX("drop addIndex"),
    /** Loses the lanes that came to a place by another way. */
    MASKS("or"),
    /** Cuts characters to 15 bits. */
    CHARACTER("constant");

    private final String change;

    PlantedMistake(String change) {
        this.change = change;
    }

    private String word(int k) {
        return change.split(" ", -1)[k];
    }

    /** A kernel in vectors, if it is suited to them, with its class changed. */
    public static CompiledKernel compile(KernelCode code, LaunchShape shape, UnaryOperator<byte[]> change) {
        try {
            return LoopClass.define(change.apply(LoopClass.vector(code, shape).spin()));
        } catch (VectorPlan.Unsuitable e) {
            return LoopClass.define(LoopClass.scalar(code, shape).spin());
        }
    }

    /** The class of a kernel with the mistake in it. */
    public byte[] plant(byte[] bytes) {
        ClassFile files = ClassFile.of(ClassFile.ClassHierarchyResolverOption.of(
                ClassHierarchyResolver.ofClassLoading(MethodHandles.lookup())));
        CodeTransform planted = this::change;
        return files.transformClass(files.parse(bytes), ClassTransform.transformingMethodBodies(planted));
    }

    private void change(CodeBuilder code, CodeElement element) {
        switch (element) {
            case FieldInstruction field
            when word(0).equals("field") && field.name().equalsString(word(1)) ->
                code.getstatic(field.owner().asSymbol(), word(2), field.typeSymbol());
            case InvokeInstruction call
            when word(0).equals("method")
                    && call.name().equalsString(word(1))
                    // Counters of loops must go on.
                    && (call.owner().asInternalName().endsWith("/FloatVector")
                            || call.owner().asInternalName().endsWith("/DoubleVector")) ->
                code.invokevirtual(call.owner().asSymbol(), word(2), call.typeSymbol());
            case InvokeInstruction call
            when word(0).equals("drop") && call.name().equalsString(word(1)) -> {
                code.pop();
                if (word(1).equals("blend")) code.swap().pop();
            }
            case OperatorInstruction operator
            when word(0).equals("or") && operator.opcode() == Opcode.LOR -> code.land();
            case ConstantInstruction constant
            when word(0).equals("constant") && constant.constantValue() instanceof Integer number && number == 0xffff ->
                code.loadConstant(0x7fff);
            default -> code.with(element);
        }
    }
}

package io.penstock.kernel.jvm;

import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;

import io.penstock.kernel.ir.Value;
import io.penstock.kernel.ir.ValueType;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;

/** The places where items can fail; what is thrown there stands behind the loop, out of its way. */
final class Faults {
    static final ClassDesc FAULT = ClassDesc.of("io.penstock.kernel.jvm.KernelFault");

    private final CodeBuilder code;
    private final int y;
    private final int z;
    private final List<Site> sites;
    private final List<Runnable> behind = new ArrayList<>();

    /** Places that are added to a list, whose indices are their numbers. */
    Faults(CodeBuilder code, int y, int z, List<Site> sites) {
        this.code = code;
        this.y = y;
        this.z = z;
        this.sites = sites;
    }

    /** Emits something behind the loop; the label is where it begins. */
    Label behind(Runnable emit) {
        Label label = code.newLabel();
        behind.add(() -> {
            code.labelBinding(label);
            emit.run();
        });
        return label;
    }

    /**
     * Where to go when a load, a store or a division fails.
     *
     * @param pushX pushes the item's index along x
     */
    Label failing(Value failing, ScalarOps.Operands operands, Runnable pushX) {
        return behind(() -> fail(failing, operands, pushX));
    }

    /** Emits the throwing. */
    void fail(Value failing, ScalarOps.Operands operands, Runnable pushX) {
        List<Value> numbers = switch (failing.operation()) {
            case FAIL -> failing.operands();
            case LOAD, STORE, ATOMIC -> failing.indices();
            default -> List.of();
        };
        code.loadConstant(sites.size());
        sites.add(Site.of(failing, numbers));
        pushX.run();
        code.lload(y).lload(z);
        for (int k = 0; k < 3; k++) {
            if (k < numbers.size()) pushWord(numbers.get(k), operands);
            else code.lconst_0();
        }
        code.invokestatic(
                FAULT, "of", MethodTypeDesc.of(FAULT, CD_int, CD_long, CD_long, CD_long, CD_long, CD_long, CD_long));
        code.athrow();
    }

    /** Pushes a number as a long: its value or its bits. */
    private void pushWord(Value number, ScalarOps.Operands operands) {
        operands.push(number);
        switch (number.type()) {
            case LONG -> {
                // Is one already.
            }
            case FLOAT -> {
                ScalarOps.bits(code, ValueType.FLOAT);
                code.i2l();
            }
            case DOUBLE -> ScalarOps.bits(code, ValueType.DOUBLE);
            default -> code.i2l();
        }
    }

    /** Emits all that was put off. */
    void flush() {
        for (int k = 0; k < behind.size(); k++) behind.get(k).run();
        behind.clear();
    }
}

package io.penstock.kernel.jvm;

import static java.lang.constant.ConstantDescs.CD_byte;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;

import io.penstock.kernel.ir.Atomic;
import io.penstock.kernel.ir.Element;
import io.penstock.kernel.ir.Operation;
import io.penstock.kernel.ir.PrivateArray;
import io.penstock.kernel.ir.Value;
import io.penstock.kernel.ir.ValueType;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** Checks and addresses of single elements, and loads and stores of them. */
final class Accesses {
    private static final ClassDesc ATOMICS = ClassDesc.of("io.penstock.kernel.jvm.Atomics");
    private static final ClassDesc LONG = ClassDesc.of("java.lang.Long");

    private final CodeBuilder code;
    private final LaunchShape shape;
    private final LaunchLocals locals;
    private final Faults faults;
    private final OwnArrays own;
    /** Pushes the number of the item whose own arrays are meant, an int. */
    private Runnable item = () -> {};

    Accesses(CodeBuilder code, LaunchShape shape, LaunchLocals locals, Faults faults, OwnArrays own) {
        this.own = own;
        this.item = () -> code.iconst_0();
        this.code = code;
        this.shape = shape;
        this.locals = locals;
        this.faults = faults;
    }

    static Element element(Value access) {
        return Objects.requireNonNull(access.array().element());
    }

    /** Says which item's own arrays are meant from here on: pushes its number, an int. */
    void items(Runnable pushNumber) {
        item = pushNumber;
    }

    /** Goes to where the item fails unless the indices of an access are inside, where that is not known. */
    void check(Value access, ScalarOps.Operands operands, Runnable pushX) {
        if (shape.isInside(access)) return;
        Label outside = faults.failing(access, operands, pushX);
        if (locals.alwaysFails(access)) {
            code.iconst_0().ifeq(outside);
            return;
        }
        operands.push(access.indices().getLast());
        pushExtent(access, operands);
        compareUnsigned();
        code.ifge(outside);
    }

    void compareUnsigned() {
        code.invokestatic(LONG, "compareUnsigned", MethodTypeDesc.of(CD_int, CD_long, CD_long));
    }

    /**
     * Pushes the extent that the innermost index is checked against, which becomes 0 when an outer index is outside. So an access
     * is one comparison. Comparisons of outer indices of their own would be hoisted out of the loop by the JVM even where a
     * condition guards them, and throw a stencil that skips its border back to the interpreter at every border row.
     */
    void pushExtent(Value access, ScalarOps.Operands operands) {
        if (access.array().operation() == Operation.PRIVATE_ARRAY) {
            code.loadConstant(
                    (long) access.array().attribute(PrivateArray.class).length());
            return;
        }
        if (shape.isFlat(access)) {
            locals.push(code, access, LaunchWords.FLAT);
            return;
        }
        List<Value> indices = access.indices();
        int last = indices.size() - 1;
        locals.push(code, access, LaunchWords.EXTENTS + last);
        if (last == 0) return;
        for (int k = 0; k < last; k++) {
            operands.push(indices.get(k));
            locals.push(code, access, LaunchWords.EXTENTS + k);
            code.lconst_1().lsub();
            operands.push(indices.get(k));
            code.lsub().lor();
            if (k > 0) code.lor();
        }
        code.loadConstant(63).lshr().loadConstant(-1L).lxor().land();
    }

    /**
     * Pushes where an element lies. What constants in its indices contribute comes last, so that accesses to neighbours begin
     * with the same sum, which the JVM finds once.
     */
    void pushAddress(Value access, ScalarOps.Operands operands) {
        Element element = element(access);
        if (access.array().operation() == Operation.PRIVATE_ARRAY) pushOwn(access.array());
        else locals.pushBegin(code, access);
        List<Offset> indices = access.indices().stream()
                .map(index -> operands.reach(index) ? Offset.of(index, shape) : new Offset(index, 0))
                .toList();
        for (int k = 0; k < indices.size(); k++) {
            operands.push(indices.get(k).from());
            if (indices.get(k).from().type() == ValueType.INT) code.i2l();
            step(access, k, element);
            code.ladd();
        }
        for (int k = 0; k < indices.size(); k++) {
            if (indices.get(k).constant() == 0) continue;
            code.loadConstant(indices.get(k).constant());
            step(access, k, element);
            code.ladd();
        }
        if (element.parts() == 2 && access.attribute(Integer.class) != 0)
            code.loadConstant((long) element.bytes() / 2).ladd();
    }

    /** Turns the number on the stack, of steps along a dimension, into bytes. */
    private void step(Value access, int dimension, Element element) {
        if (dimension == access.indices().size() - 1 && shape.isAdjacent(access)) {
            code.loadConstant(Integer.numberOfTrailingZeros(element.bytes())).lshl();
        } else {
            locals.push(code, access, LaunchWords.STRIDES + dimension);
            code.lmul();
        }
    }

    /** Pushes where an array of the item's own begins. */
    private void pushOwn(Value array) {
        locals.pushScratch(code, LaunchWords.OWN);
        item.run();
        code.i2l().loadConstant(own.bytes()).lmul().ladd();
        code.loadConstant(own.offset(array)).ladd();
    }

    /** Fills an array of the item's own with zeros. */
    void clear(Value array) {
        ScalarOps.memory(code);
        pushOwn(array);
        code.loadConstant(OwnArrays.bytes(array));
        code.invokeinterface(ScalarOps.SEGMENT, "asSlice", MethodTypeDesc.of(ScalarOps.SEGMENT, CD_long, CD_long));
        code.iconst_0();
        code.invokeinterface(ScalarOps.SEGMENT, "fill", MethodTypeDesc.of(ScalarOps.SEGMENT, CD_byte));
        code.pop();
    }

    /** Changes an element in one step; pushes what it was. */
    void change(Value atomic, ScalarOps.Operands operands, Runnable pushX) {
        check(atomic, operands, pushX);
        pushAddress(atomic, operands);
        int given = 1 + atomic.indices().size();
        List<ClassDesc> types = new ArrayList<>(List.of(CD_long));
        for (Value value : atomic.operands().subList(given, atomic.operands().size())) {
            operands.push(value);
            types.add(ScalarOps.type(value.type()));
        }
        String method = switch (atomic.attribute(Atomic.class)) {
            case COMPARE_EXCHANGE -> "compareExchange";
            case Atomic other -> other.name().toLowerCase(Locale.ROOT);
        };
        code.invokestatic(
                ATOMICS,
                method,
                MethodTypeDesc.of(ScalarOps.type(element(atomic).type()), types));
    }

    /** Pushes the number that a load gives. */
    void load(Value load, ScalarOps.Operands operands, Runnable pushX) {
        check(load, operands, pushX);
        ScalarOps.memory(code, element(load));
        pushAddress(load, operands);
        ScalarOps.load(code, element(load));
    }

    void store(Value store, ScalarOps.Operands operands, Runnable pushX) {
        check(store, operands, pushX);
        ScalarOps.memory(code, element(store));
        pushAddress(store, operands);
        operands.push(store.operands().getLast());
        if (element(store) == Element.BYTE) code.i2b();
        ScalarOps.store(code, element(store));
    }

    /** Lets the item fail. */
    void fail(Value fail, ScalarOps.Operands operands, Runnable pushX) {
        faults.fail(fail, operands, pushX);
    }

    /** Goes to where the item fails if the divisor of an integer division is zero. */
    void checkDivisor(Value division, ScalarOps.Operands operands, Runnable pushX) {
        boolean divides = division.operation() == Operation.DIV || division.operation() == Operation.REM;
        if (!divides || !division.hasEffect()) return;
        Label fails = faults.failing(division, operands, pushX);
        operands.push(division.operand(1));
        if (division.type() == ValueType.LONG) code.lconst_0().lcmp();
        code.ifeq(fails);
    }
}

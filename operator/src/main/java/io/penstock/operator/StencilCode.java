package io.penstock.operator;

import static java.lang.constant.ConstantDescs.CD_double;
import static java.lang.constant.ConstantDescs.CD_float;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import io.penstock.kernel.Doubles;
import io.penstock.kernel.Floats;
import io.penstock.kernel.WorkItem;
import io.penstock.operator.StencilPattern.Kinds;
import io.penstock.operator.StencilPattern.Tap;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.function.Consumer;

/**
 * Writes the class of a stencil's kernel, by the parts that it is made of: in Java
 *
 * <pre>{@code
 * static void apply(WorkItem at, Floats result, Floats of, long tailZ, long tailY, long tailX) {
 *     long z = at.z(), y = at.y(), x = at.x();
 *     float sum;
 *     ...
 * }
 * }</pre>
 */
final class StencilCode {
    private static final ClassDesc CLASS = ClassDesc.of("io.penstock.operator.StencilKernel");
    private static final ClassDesc ITEM = desc(WorkItem.class);
    private static final ClassDesc MATH = desc(Math.class);

    // The parameters by their local variable slots.
    private static final int AT = 0;
    private static final int RESULT = 1;
    private static final int OF = 2;
    private static final int[] TAIL = {3, 5, 7};

    private final boolean wide;
    private final ClassDesc view;
    private final ClassDesc number;
    private final TypeKind kind;
    private final CodeBuilder code;
    private final int[] index = new int[StencilPattern.AXES];
    private final int sum;

    private StencilCode(boolean wide, CodeBuilder code) {
        this.wide = wide;
        this.code = code;
        view = view(wide);
        number = wide ? CD_double : CD_float;
        kind = TypeKind.from(number);
        for (int k = 0; k < index.length; k++) index[k] = code.allocateLocal(TypeKind.LONG);
        sum = code.allocateLocal(kind);
    }

    private static ClassDesc desc(Class<?> type) {
        return type.describeConstable().orElseThrow();
    }

    private static ClassDesc view(boolean wide) {
        return desc(wide ? Doubles.class : Floats.class);
    }

    /** The class file of a kernel of doubles or floats, whose body begins where the indices are known. */
    static byte[] of(boolean wide, Consumer<StencilCode> body) {
        ClassDesc view = view(wide);
        MethodTypeDesc type = MethodTypeDesc.of(CD_void, ITEM, view, view, CD_long, CD_long, CD_long);
        return ClassFile.of()
                .build(
                        CLASS,
                        builder -> builder.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SYNTHETIC)
                                .withMethodBody(
                                        "apply",
                                        type,
                                        ClassFile.ACC_STATIC,
                                        code -> new StencilCode(wide, code).write(body)));
    }

    private void write(Consumer<StencilCode> body) {
        String[] names = {"z", "y", "x"};
        for (int k = 0; k < index.length; k++)
            code.aload(AT)
                    .invokevirtual(ITEM, names[k], MethodTypeDesc.of(CD_long))
                    .lstore(index[k]);
        body.accept(this);
    }

    Label label() {
        return code.newLabel();
    }

    void bind(Label label) {
        code.labelBinding(label);
    }

    void jump(Label to) {
        code.goto_(to);
    }

    /** Jumps when the row along an axis is beyond those of the c-th kind. */
    void jumpBeyond(int axis, Kinds kinds, int c, Label to) {
        compare(axis, kinds, c);
        code.ifge(to);
    }

    /** Jumps when the row along an axis is of the c-th kind or one before it. */
    void jumpUpTo(int axis, Kinds kinds, int c, Label to) {
        compare(axis, kinds, c);
        code.iflt(to);
    }

    private void compare(int axis, Kinds kinds, int c) {
        code.lload(index[axis]);
        if (c < kinds.head()) code.loadConstant(c + 1L);
        else code.lload(TAIL[axis]).loadConstant((long) c - kinds.head()).ladd();
        code.lcmp();
    }

    /** {@code sum = value}. */
    void begin(double value) {
        set(sum, value);
    }

    /** {@code sum = result.get(z, y, x)}. */
    void beginWithResult() {
        code.aload(RESULT);
        indices(0, 0, 0);
        code.invokevirtual(view, "get", MethodTypeDesc.of(number, CD_long, CD_long, CD_long))
                .storeLocal(kind, sum);
    }

    /** {@code sum = tap}, as a product. */
    void beginWith(Tap tap) {
        load(tap);
        constant(tap.coefficient());
        if (wide) code.dmul();
        else code.fmul();
        code.storeLocal(kind, sum);
    }

    /** {@code sum += tap}, rounded once. */
    void add(Tap tap) {
        load(tap);
        constant(tap.coefficient());
        fma();
    }

    /** One more local variable for a number. */
    int local() {
        return code.allocateLocal(kind);
    }

    /** {@code local = value}. */
    void set(int local, double value) {
        constant(value);
        code.storeLocal(kind, local);
    }

    /** {@code to = from}. */
    void copy(int from, int to) {
        code.loadLocal(kind, from).storeLocal(kind, to);
    }

    /** {@code sum += tap}, rounded once, with a coefficient in a local variable. */
    void add(Tap tap, int coefficient) {
        load(tap);
        code.loadLocal(kind, coefficient);
        fma();
    }

    private void fma() {
        code.loadLocal(kind, sum)
                .invokestatic(MATH, "fma", MethodTypeDesc.of(number, number, number, number))
                .storeLocal(kind, sum);
    }

    private void load(Tap tap) {
        code.aload(OF);
        indices(tap.z(), tap.y(), tap.x());
        code.invokevirtual(view, "get", MethodTypeDesc.of(number, CD_long, CD_long, CD_long));
    }

    /** {@code result.set(z, y, x, sum)}, and the end of the item. */
    void end() {
        code.aload(RESULT);
        indices(0, 0, 0);
        code.loadLocal(kind, sum)
                .invokevirtual(view, "set", MethodTypeDesc.of(CD_void, CD_long, CD_long, CD_long, number))
                .return_();
    }

    private void indices(long... offsets) {
        for (int k = 0; k < offsets.length; k++) {
            code.lload(index[k]);
            if (offsets[k] != 0) code.loadConstant(offsets[k]).ladd();
        }
    }

    private void constant(double value) {
        if (wide) code.loadConstant(value);
        else code.loadConstant((float) value);
    }
}

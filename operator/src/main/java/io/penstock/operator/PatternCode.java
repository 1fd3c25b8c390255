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
import java.util.List;

/**
 * Writes the class of the kernel of a {@link StencilPattern}. In Java that of a second derivative along x would be
 *
 * <pre>{@code
 * static void apply(WorkItem at, Floats result, Floats of, long tailZ, long tailY, long tailX) {
 *     long z = at.z(), y = at.y(), x = at.x();
 *     if (x < 1) {
 *         result.set(z, y, x, 0);
 *     } else if (x < tailX) {
 *         float sum = of.get(z, y, x - 1) * 1;
 *         sum = Math.fma(of.get(z, y, x), -2, sum);
 *         sum = Math.fma(of.get(z, y, x + 1), 1, sum);
 *         result.set(z, y, x, sum);
 *     } else result.set(z, y, x, 0);
 * }
 * }</pre>
 *
 * <p>The comparisons say enough of the indices that no access needs a check.
 */
final class PatternCode {
    private static final ClassDesc CLASS = ClassDesc.of("io.penstock.operator.StencilKernel");
    private static final ClassDesc ITEM = desc(WorkItem.class);
    private static final ClassDesc MATH = desc(Math.class);

    // The parameters by their local variable slots.
    private static final int AT = 0;
    private static final int RESULT = 1;
    private static final int OF = 2;
    private static final int[] TAIL = {3, 5, 7};

    private final StencilPattern pattern;
    private final boolean accumulate;
    private final ClassDesc view;
    private final ClassDesc number;
    private final TypeKind kind;
    private final CodeBuilder code;
    private final int[] index = new int[StencilPattern.AXES];
    private final int sum;

    private PatternCode(StencilPattern pattern, boolean accumulate, CodeBuilder code) {
        this.pattern = pattern;
        this.accumulate = accumulate;
        this.code = code;
        view = view(pattern);
        number = pattern.wide() ? CD_double : CD_float;
        kind = TypeKind.from(number);
        for (int k = 0; k < index.length; k++) index[k] = code.allocateLocal(TypeKind.LONG);
        sum = code.allocateLocal(kind);
    }

    private static ClassDesc desc(Class<?> type) {
        return type.describeConstable().orElseThrow();
    }

    private static ClassDesc view(StencilPattern pattern) {
        return desc(pattern.wide() ? Doubles.class : Floats.class);
    }

    /**
     * The class file.
     *
     * @param accumulate whether the sums are added to what the result holds
     */
    static byte[] of(StencilPattern pattern, boolean accumulate) {
        ClassDesc view = view(pattern);
        MethodTypeDesc type = MethodTypeDesc.of(CD_void, ITEM, view, view, CD_long, CD_long, CD_long);
        return ClassFile.of()
                .build(
                        CLASS,
                        builder -> builder.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SYNTHETIC)
                                .withMethodBody(
                                        "apply",
                                        type,
                                        ClassFile.ACC_STATIC,
                                        code -> new PatternCode(pattern, accumulate, code).item()));
    }

    private void item() {
        String[] names = {"z", "y", "x"};
        for (int k = 0; k < index.length; k++)
            code.aload(AT)
                    .invokevirtual(ITEM, names[k], MethodTypeDesc.of(CD_long))
                    .lstore(index[k]);
        kinds(0, 0);
    }

    /** Finds the kind along an axis, from the first on, and goes on with the next axis. */
    private void kinds(int axis, int cell) {
        if (axis == index.length) {
            element(pattern.cells().get(cell));
            return;
        }
        Kinds kinds = pattern.axes().get(axis);
        for (int c = 0; c < kinds.count(); c++) {
            boolean last = c == kinds.count() - 1;
            Label next = code.newLabel();
            if (!last) {
                code.lload(index[axis]);
                if (c < kinds.head()) code.loadConstant(c + 1L);
                else
                    code.lload(TAIL[axis]).loadConstant((long) c - kinds.head()).ladd();
                code.lcmp().ifge(next);
            }
            kinds(axis + 1, cell * kinds.count() + c);
            if (!last) code.labelBinding(next);
        }
    }

    private void element(List<Tap> taps) {
        if (accumulate) {
            code.aload(RESULT);
            indices(new Tap(0, 0, 0, 0));
            code.invokevirtual(view, "get", MethodTypeDesc.of(number, CD_long, CD_long, CD_long));
        } else constant(0);
        code.storeLocal(kind, sum);
        boolean begun = accumulate;
        for (Tap tap : taps) {
            code.aload(OF);
            indices(tap);
            code.invokevirtual(view, "get", MethodTypeDesc.of(number, CD_long, CD_long, CD_long));
            constant(tap.coefficient());
            if (begun)
                code.loadLocal(kind, sum).invokestatic(MATH, "fma", MethodTypeDesc.of(number, number, number, number));
            else if (pattern.wide()) code.dmul();
            else code.fmul();
            code.storeLocal(kind, sum);
            begun = true;
        }
        code.aload(RESULT);
        indices(new Tap(0, 0, 0, 0));
        code.loadLocal(kind, sum)
                .invokevirtual(view, "set", MethodTypeDesc.of(CD_void, CD_long, CD_long, CD_long, number))
                .return_();
    }

    private void indices(Tap tap) {
        long[] offsets = {tap.z(), tap.y(), tap.x()};
        for (int k = 0; k < offsets.length; k++) {
            code.lload(index[k]);
            if (offsets[k] != 0) code.loadConstant(offsets[k]).ladd();
        }
    }

    private void constant(double value) {
        if (pattern.wide()) code.loadConstant(value);
        else code.loadConstant((float) value);
    }
}

package io.penstock.kernel.jvm;

import static java.lang.constant.ConstantDescs.CD_long;

import io.penstock.kernel.ir.KernelCode;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.List;

/**
 * The loops over the items of a box, one after the other or in vectors, in bytecode. As they would be in Java:
 *
 * <pre>{@code
 * // the box is narrowed to the items that do anything; see Window
 * for (long z = beginZ; z < endZ; z++)
 *     for (long y = beginY; y < endY; y++) {
 *         long x = beginX, stop = endX; // narrowed as well, where that takes y or z
 *         // the items of a row
 *     }
 * }</pre>
 *
 * <p>Launches that are one row have no loops over y and z, without which the JVM's compiler makes more of the one over x.
 */
final class BoxLoop {
    private static final ClassDesc MATH = ClassDesc.of("java.lang.Math");

    // The parameters of BoxedKernel.box by their local variable slots.
    private static final int LAUNCH = 1;
    private static final int SCRATCH = 2;
    private static final int[] BEGIN = {4, 8, 12};
    private static final int[] END = {6, 10, 14};

    private final CodeBuilder code;
    private final KernelCode kernel;
    private final Window window;
    private final LaunchLocals locals;
    private final Faults faults;
    private final Accesses accesses;
    private final int[] position;
    private final int x;
    private final int stop;
    private final boolean several;

    /** Loops whose places where items can fail are added to a list. */
    BoxLoop(CodeBuilder code, KernelCode kernel, LaunchShape shape, Window window, List<Site> sites) {
        this.code = code;
        this.kernel = kernel;
        this.window = window;
        locals = new LaunchLocals(code, kernel, shape, LAUNCH, SCRATCH);
        position = position(code);
        x = position[0];
        stop = code.allocateLocal(TypeKind.LONG);
        several = shape.rows() != LaunchShape.Rows.ONE;
        faults = new Faults(code, position[1], position[2], sites);
        accesses = new Accesses(code, shape, locals, faults, new OwnArrays(kernel));
    }

    /** Local variables for x, y and z. */
    static int[] position(CodeBuilder code) {
        return new int[] {
            code.allocateLocal(TypeKind.LONG), code.allocateLocal(TypeKind.LONG), code.allocateLocal(TypeKind.LONG)
        };
    }

    /** Emits items one after the other. */
    void items() {
        Label none = code.newLabel();
        window.emitBox(code, locals, BEGIN, END, none);
        rows(next -> singly());
        end(none);
    }

    /**
     * Emits items in vectors, and the rest of a row by a mask, or singly where memory cannot be masked.
     *
     * <pre>{@code
     * for (; x <= stop - LANES; x += LANES) items(x, y, z);
     * if (x < stop) itemsOfMask(x, y, z, (1L << stop - x) - 1);
     * }</pre>
     */
    void vectors(VectorPlan plan) {
        Label none = code.newLabel();
        window.emitBox(code, locals, BEGIN, END, none);
        rows(next -> {
            whole(plan);
            if (Hardware.MASKED_MEMORY) masked(plan);
            else singly();
        });
        end(none);
    }

    /**
     * Emits items in vectors for launches of short rows whose items may run twice: the last vector of a row then ends where the row does and runs
     * some items before it again, which costs less than a mask. That x is not simply counted is on purpose: what the JVM's
     * compiler does at the beginning of a loop that it unrolls takes longer than a short row.
     *
     * <pre>{@code
     * long last = stop - LANES;
     * while (true) {
     *     items(x, y, z);
     *     if (x == last) break;
     *     x = Math.min(x + LANES, last);
     * }
     * }</pre>
     *
     * @param type the class
     * @param rest the method of the class for other launches, and for boxes that are narrower than a vector: their code is kept
     *     apart, so that the JVM's compiler does not make one of both
     */
    void repeatedItems(VectorPlan plan, ClassDesc type, String rest, MethodTypeDesc signature) {
        Label none = code.newLabel();
        Label others = code.newLabel();
        window.emitBox(code, locals, BEGIN, END, none);
        int last = code.allocateLocal(TypeKind.LONG);
        code.lload(END[0]).loadConstant((long) plan.lanes()).lsub().lstore(last);
        code.lload(BEGIN[0]).lload(last).lcmp().ifgt(others);
        code.lload(locals.repeats()).lconst_0().lcmp().ifeq(others);
        rows(next -> {
            Label items = code.newBoundLabel();
            Label done = code.newLabel();
            new VectorItem(code, plan, locals, faults, accesses, position, SCRATCH, -1).emit(done);
            code.labelBinding(done);
            code.lload(x).lload(last).lcmp().ifeq(next);
            code.lload(x).loadConstant((long) plan.lanes()).ladd().lload(last);
            code.invokestatic(MATH, "min", MethodTypeDesc.of(CD_long, CD_long, CD_long));
            code.lstore(x).goto_(items);
        });
        code.return_();
        code.labelBinding(others);
        code.aload(0).aload(LAUNCH).lload(SCRATCH);
        for (int k = 0; k < BEGIN.length; k++) code.lload(BEGIN[k]).lload(END[k]);
        code.invokevirtual(type, rest, signature);
        end(none);
    }

    private void end(Label none) {
        code.labelBinding(none);
        code.return_();
        faults.flush();
    }

    /** What runs the items of one row, and then may go on to the next. */
    private interface Row {
        void emit(Label next);
    }

    private void rows(Row row) {
        Label planes = code.newLabel();
        Label rows = code.newLabel();
        code.lload(BEGIN[2]).lstore(position[2]);
        if (several) code.labelBinding(planes);
        code.lload(BEGIN[1]).lstore(position[1]);
        if (several) code.labelBinding(rows);
        Label next = code.newLabel();
        code.lload(BEGIN[0]).lstore(x);
        code.lload(END[0]).lstore(stop);
        window.emitRow(code, locals, position, stop, next);
        row.emit(next);
        code.labelBinding(next);
        if (!several) return;
        onwards(position[1], END[1], rows);
        onwards(position[2], END[2], planes);
    }

    /** Ends a loop over an index. */
    private void onwards(int index, int end, Label loop) {
        code.lload(index).lconst_1().ladd().lstore(index);
        code.lload(index).lload(end).lcmp().iflt(loop);
    }

    private void singly() {
        Label items = code.newBoundLabel();
        Label over = code.newLabel();
        Label next = code.newLabel();
        code.lload(x).lload(stop).lcmp().ifge(over);
        new ScalarItem(code, kernel, locals, accesses, x, position[1], position[2], null).emit(next);
        code.labelBinding(next);
        code.lload(x).lconst_1().ladd().lstore(x);
        code.goto_(items);
        code.labelBinding(over);
    }

    private void whole(VectorPlan plan) {
        int last = code.allocateLocal(TypeKind.LONG);
        code.lload(stop).loadConstant((long) plan.lanes()).lsub().lstore(last);
        Label items = code.newBoundLabel();
        Label over = code.newLabel();
        Label next = code.newLabel();
        code.lload(x).lload(last).lcmp().ifgt(over);
        new VectorItem(code, plan, locals, faults, accesses, position, SCRATCH, -1).emit(next);
        code.labelBinding(next);
        code.lload(x).loadConstant((long) plan.lanes()).ladd().lstore(x);
        code.goto_(items);
        code.labelBinding(over);
    }

    private void masked(VectorPlan plan) {
        int active = code.allocateLocal(TypeKind.LONG);
        Label over = code.newLabel();
        code.lload(x).lload(stop).lcmp().ifge(over);
        code.lconst_1()
                .lload(stop)
                .lload(x)
                .lsub()
                .l2i()
                .lshl()
                .lconst_1()
                .lsub()
                .lstore(active);
        new VectorItem(code, plan, locals, faults, accesses, position, SCRATCH, active).emit(over);
        code.labelBinding(over);
    }
}

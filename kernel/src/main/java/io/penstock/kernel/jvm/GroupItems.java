package io.penstock.kernel.jvm;

import static java.lang.constant.ConstantDescs.CD_long;

import io.penstock.kernel.ir.Block;
import io.penstock.kernel.ir.KernelCode;
import io.penstock.kernel.ir.Operation;
import io.penstock.kernel.ir.Value;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;

/**
 * The loops over the items of a group: one for what they do before the first barrier that they come to, and one for each
 * barrier, for what they do from there to the next. All items of a group come to the same one. What an item needs later it keeps in
 * scratch memory, where the numbers of all items for one value lie side by side.
 */
final class GroupItems {
    /** The most items of a group. */
    static final int MOST_ITEMS = 1024;

    private static final ClassDesc MATH = ClassDesc.of("java.lang.Math");
    private static final int DONE = -1;

    private final CodeBuilder code;
    private final KernelCode kernel;
    private final LaunchLocals locals;
    private final Accesses accesses;
    private final Barriers barriers;
    private final int[] position;
    private final int[] group = new int[3];
    private final int[] stop = new int[3];
    private final int item;
    private final int next;

    GroupItems(CodeBuilder code, KernelCode kernel, LaunchLocals locals, Accesses accesses, int[] position) {
        this.code = code;
        this.kernel = kernel;
        this.locals = locals;
        this.accesses = accesses;
        this.position = position;
        barriers = new Barriers(kernel);
        for (int k = 0; k < 3; k++) {
            group[k] = code.allocateLocal(TypeKind.LONG);
            stop[k] = code.allocateLocal(TypeKind.LONG);
        }
        item = code.allocateLocal(TypeKind.INT);
        next = code.allocateLocal(TypeKind.INT);
        accesses.items(() -> code.iload(item));
    }

    /** The bytes of scratch memory in which items keep numbers. */
    static long bytes(KernelCode kernel) {
        return (long) new Barriers(kernel).places() * MOST_ITEMS * Long.BYTES;
    }

    /** Emits the loop over the groups whose numbers are in two local variables, from the first on and before the second. */
    void emit(int from, int to) {
        Label groups = code.newBoundLabel();
        Label end = code.newLabel();
        code.lload(from).lload(to).lcmp().ifge(end);
        place(from);
        code.iconst_0().istore(next);
        Label choose = code.newBoundLabel();
        List<Label> parts = new ArrayList<>();
        List<SwitchCase> cases = new ArrayList<>();
        for (int k = 0; k <= barriers.all().size(); k++) {
            parts.add(code.newLabel());
            cases.add(SwitchCase.of(k, parts.get(k)));
        }
        Label over = code.newLabel();
        code.iload(next).tableswitch(over, cases);
        for (int k = 0; k < parts.size(); k++) {
            code.labelBinding(parts.get(k));
            part(k);
            code.goto_(choose);
        }
        code.labelBinding(over);
        code.lload(from).lconst_1().ladd().lstore(from);
        code.goto_(groups);
        code.labelBinding(end);
    }

    /** Finds out where a group is, whose number counts along x first, and where its items end. */
    private void place(int number) {
        code.lload(number);
        for (int k = 0; k < 2; k++) {
            code.dup2();
            locals.pushGroups(code, k);
            code.lrem().lstore(group[k]);
            locals.pushGroups(code, k);
            code.ldiv();
        }
        code.lstore(group[2]);
        for (int k = 0; k < 3; k++) {
            code.lload(group[k]).lconst_1().ladd().lload(locals.group(k)).lmul();
            code.lload(locals.size(k));
            code.invokestatic(MATH, "min", MethodTypeDesc.of(CD_long, CD_long, CD_long));
            code.lstore(stop[k]);
        }
    }

    private void first(int dimension) {
        code.lload(group[dimension]).lload(locals.group(dimension)).lmul().lstore(position[dimension]);
    }

    /** The loop over all items for one part of the kernel. */
    private void part(int number) {
        code.iconst_0().istore(item);
        Label[] tops = new Label[3];
        Label[] ends = new Label[3];
        for (int k = 2; k >= 0; k--) {
            first(k);
            tops[k] = code.newBoundLabel();
            ends[k] = code.newLabel();
            code.lload(position[k]).lload(stop[k]).lcmp().ifge(ends[k]);
        }
        Label itemEnd = code.newLabel();
        ScalarItem one = new ScalarItem(code, kernel, locals, accesses, position[0], position[1], position[2], this);
        if (number == 0) {
            one.emit(itemEnd);
        } else {
            Barriers.Barrier barrier = barriers.all().get(number - 1);
            one.emitFrom(barrier, () -> restore(barrier, one), itemEnd);
        }
        code.labelBinding(itemEnd);
        code.iinc(item, 1);
        for (int k = 0; k < 3; k++) {
            code.lload(position[k]).lconst_1().ladd().lstore(position[k]);
            code.goto_(tops[k]);
            code.labelBinding(ends[k]);
        }
    }

    /** Emits that an item waits at a barrier. */
    void await(Block block, int index, ScalarItem one, Label itemEnd) {
        int number = barriers.number(block, index);
        List<Value> kept = barriers.all().get(number).kept();
        for (int k = 0; k < kept.size(); k++) {
            ScalarOps.memory(code, kept.get(k).type());
            pushPlace(k);
            one.load(kept.get(k));
            ScalarOps.store(code, kept.get(k).type());
        }
        code.loadConstant(number + 1).istore(next).goto_(itemEnd);
    }

    private void restore(Barriers.Barrier barrier, ScalarItem one) {
        for (int k = 0; k < barrier.kept().size(); k++) {
            Value value = barrier.kept().get(k);
            ScalarOps.memory(code, value.type());
            pushPlace(k);
            ScalarOps.load(code, value.type());
            one.store(value);
        }
    }

    private void pushPlace(int place) {
        locals.pushScratch(code, LaunchWords.STATE);
        code.iload(item).i2l().loadConstant(3).lshl().ladd();
        code.loadConstant((long) place * MOST_ITEMS * Long.BYTES).ladd();
    }

    /** Emits that an item is done. */
    void done() {
        code.loadConstant(DONE).istore(next);
    }

    /** Pushes an index of the item within its group, or of the group. */
    void pushIndex(Operation operation) {
        int dimension = switch (operation) {
            case LOCAL_X, GROUP_X -> 0;
            case LOCAL_Y, GROUP_Y -> 1;
            default -> 2;
        };
        boolean local = switch (operation) {
            case LOCAL_X, LOCAL_Y, LOCAL_Z -> true;
            default -> false;
        };
        if (!local) {
            code.lload(group[dimension]);
            return;
        }
        code.lload(position[dimension]);
        code.lload(group[dimension]).lload(locals.group(dimension)).lmul().lsub();
    }
}

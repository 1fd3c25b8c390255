package io.penstock.kernel.jvm;

import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;
import static java.lang.constant.ConstantDescs.INIT_NAME;

import io.penstock.kernel.ir.KernelCode;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Spins the hidden class with the loop over a kernel's items. */
final class LoopClass {
    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
    private static final ClassDesc SELF = ClassDesc.of("io.penstock.kernel.jvm.ItemLoop");
    private static final ClassDesc PARENT = ClassDesc.of("io.penstock.kernel.jvm.CompiledKernel");

    // The parameters of CompiledKernel.run by their local variable slots.
    private static final int LAUNCH = 1;
    private static final int SCRATCH = 2;
    private static final int FROM = 4;
    private static final int TO = 6;

    private final KernelCode kernel;
    private final LaunchShape shape;
    private final @Nullable VectorPlan plan;
    private final Window window;
    private List<Site> sites = List.of();

    private LoopClass(Window window, LaunchShape shape, @Nullable VectorPlan plan) {
        this.kernel = window.rest();
        this.shape = shape;
        this.plan = plan;
        this.window = window;
    }

    /** The class of a kernel one item at a time. */
    static LoopClass scalar(KernelCode kernel, LaunchShape shape) {
        return new LoopClass(Window.of(kernel, shape), shape, null);
    }

    /** The class of a kernel in vectors. */
    static LoopClass vector(KernelCode kernel, LaunchShape shape) throws VectorPlan.Unsuitable {
        Window window = Window.of(kernel, shape);
        return new LoopClass(window, shape, new VectorPlan(window.rest(), shape, Hardware.VECTOR_BITS));
    }

    /** How many items run at once. */
    int lanes() {
        return plan == null ? 1 : plan.lanes();
    }

    /** Where items can fail, once the class was spun. */
    List<Site> sites() {
        return sites;
    }

    static CompiledKernel define(byte[] bytes) {
        try {
            MethodHandles.Lookup loop = LOOKUP.defineHiddenClass(bytes, true);
            MethodType none = MethodType.methodType(void.class);
            return (CompiledKernel)
                    loop.findConstructor(loop.lookupClass(), none).invoke();
        } catch (Throwable e) {
            throw new IllegalStateException("the class of kernel could not be defined", e);
        }
    }

    byte[] spin() {
        return ClassFile.of(ClassFile.ClassHierarchyResolverOption.of(ClassHierarchyResolver.ofClassLoading(LOOKUP)))
                .build(
                        SELF,
                        type -> type.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SYNTHETIC)
                                .withSuperclass(PARENT)
                                .withMethodBody(
                                        INIT_NAME,
                                        ConstantDescs.MTD_void,
                                        0,
                                        code -> code.aload(0)
                                                .invokespecial(PARENT, INIT_NAME, ConstantDescs.MTD_void)
                                                .return_())
                                .withMethodBody(
                                        "run",
                                        MethodTypeDesc.of(CD_void, CD_long.arrayType(), CD_long, CD_long, CD_long),
                                        ClassFile.ACC_PUBLIC,
                                        this::loop));
    }

    /**
     * The loop, as it would be in Java:
     *
     * <pre>{@code
     * long x = from % sizeX, y = from / sizeX % sizeY, z = from / sizeX / sizeY;
     * long left = (to - 1) / sizeX - from / sizeX + 1, last = to - (to - 1) / sizeX * sizeX;
     * do {
     *     long stop = left == 1 ? last : sizeX;
     *     // x and stop are narrowed to the items that do anything; see Window
     *     for (; x <= stop - LANES; x += LANES) items(x, y, z);
     *     if (x < stop) itemsOfMask(x, y, z, (1L << stop - x) - 1);
     *     x = 0;
     *     if (++y == sizeY) { y = 0; z++; }
     * } while (--left > 0);
     * }</pre>
     *
     * <p>Kernels that see groups are looped over group by group; see {@link GroupItems}. One item at a time, the first of the inner loops is not there; nor is it where memory cannot be masked, and the
     * second then is a loop.
     */
    private void loop(CodeBuilder code) {
        LaunchLocals locals = new LaunchLocals(code, kernel, shape, LAUNCH, SCRATCH);
        int x = code.allocateLocal(TypeKind.LONG);
        int y = code.allocateLocal(TypeKind.LONG);
        int z = code.allocateLocal(TypeKind.LONG);
        int stop = code.allocateLocal(TypeKind.LONG);
        int[] position = {x, y, z};
        Faults faults = new Faults(code, y, z);
        Accesses accesses = new Accesses(code, shape, locals, faults, new OwnArrays(kernel));
        if (kernel.seesGroups()) {
            new GroupItems(code, kernel, locals, accesses, position).emit(FROM, TO);
            finish(code, faults);
            return;
        }
        Label end = code.newLabel();
        code.lload(FROM).lload(TO).lcmp().ifge(end);
        int left = code.allocateLocal(TypeKind.LONG);
        int last = code.allocateLocal(TypeKind.LONG);
        begin(code, locals, position, left, last);
        Label rows = code.newBoundLabel();
        Label isLast = code.newLabel();
        code.lload(last).lstore(stop);
        code.lload(left).lconst_1().lcmp().ifeq(isLast);
        code.lload(locals.sizeX()).lstore(stop);
        code.labelBinding(isLast);
        Label next = code.newLabel();
        window.emit(code, locals, position, stop, next);
        if (plan == null) {
            scalars(code, locals, accesses, position, stop);
        } else {
            vectors(code, plan, locals, faults, accesses, position, stop);
            if (Hardware.MASKED_MEMORY) tail(code, plan, locals, faults, accesses, position, stop);
            else scalars(code, locals, accesses, position, stop);
        }
        code.labelBinding(next);
        code.lconst_0().lstore(x);
        code.lload(y).lconst_1().ladd().lstore(y);
        Label inPlane = code.newLabel();
        code.lload(y).lload(locals.sizeY()).lcmp().ifne(inPlane);
        code.lconst_0().lstore(y);
        code.lload(z).lconst_1().ladd().lstore(z);
        code.labelBinding(inPlane);
        code.lload(left).lconst_1().lsub().lstore(left);
        code.lload(left).lconst_0().lcmp().ifgt(rows);
        code.labelBinding(end);
        finish(code, faults);
    }

    /** Finds where the first item stands, how many rows there are, and where the last of them ends. */
    private static void begin(CodeBuilder code, LaunchLocals locals, int[] position, int left, int last) {
        for (int local : position) code.lconst_0().lstore(local);
        Label atFirst = code.newLabel();
        code.lload(FROM).lconst_0().lcmp().ifeq(atFirst);
        code.lload(FROM).lload(locals.sizeX()).lrem().lstore(position[0]);
        code.lload(FROM).lload(locals.sizeX()).ldiv().lstore(left);
        code.lload(left).lload(locals.sizeY()).lrem().lstore(position[1]);
        code.lload(left).lload(locals.sizeY()).ldiv().lstore(position[2]);
        code.labelBinding(atFirst);
        code.lload(TO).lconst_1().lsub().lload(locals.sizeX()).ldiv().lstore(last);
        code.lload(last).lload(FROM).lload(locals.sizeX()).ldiv().lsub();
        code.lconst_1().ladd().lstore(left);
        code.lload(TO).lload(last).lload(locals.sizeX()).lmul().lsub().lstore(last);
    }

    private void finish(CodeBuilder code, Faults faults) {
        code.return_();
        faults.flush();
        sites = List.copyOf(faults.sites());
    }

    private void scalars(CodeBuilder code, LaunchLocals locals, Accesses accesses, int[] position, int stop) {
        int x = position[0];
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

    private static void vectors(
            CodeBuilder code,
            VectorPlan plan,
            LaunchLocals locals,
            Faults faults,
            Accesses accesses,
            int[] position,
            int stop) {
        int x = position[0];
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

    private static void tail(
            CodeBuilder code,
            VectorPlan plan,
            LaunchLocals locals,
            Faults faults,
            Accesses accesses,
            int[] position,
            int stop) {
        int x = position[0];
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

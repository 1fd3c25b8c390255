package io.penstock.kernel.jvm;

import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;
import static java.lang.constant.ConstantDescs.INIT_NAME;

import io.penstock.kernel.ir.KernelCode;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Spins the hidden class with the loop over a kernel's items. */
final class LoopClass {
    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
    private static final ClassDesc SELF = ClassDesc.of("io.penstock.kernel.jvm.ItemLoop");
    private static final ClassDesc PARENT = ClassDesc.of("io.penstock.kernel.jvm.CompiledKernel");

    private static final ClassDesc BOXED = ClassDesc.of("io.penstock.kernel.jvm.BoxedKernel");
    private static final MethodTypeDesc BOX = MethodTypeDesc.of(CD_void, parameters(6));

    // The parameters of CompiledKernel.run by their local variable slots.
    private static final int LAUNCH = 1;
    private static final int SCRATCH = 2;
    private static final int FROM = 4;
    private static final int TO = 6;

    private final KernelCode kernel;
    private final LaunchShape shape;
    private final @Nullable VectorPlan plan;
    private final Window window;
    private final List<Site> sites = new ArrayList<>();

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
        return new LoopClass(window, shape, new VectorPlan(window.rest(), shape, shape.vectorBits()));
    }

    /** How many items run at once. */
    int lanes() {
        return plan == null ? 1 : plan.lanes();
    }

    /** Where items can fail, once the class was spun. */
    List<Site> sites() {
        return List.copyOf(sites);
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
        ClassDesc parent = kernel.seesGroups() ? PARENT : BOXED;
        return ClassFile.of(ClassFile.ClassHierarchyResolverOption.of(ClassHierarchyResolver.ofClassLoading(LOOKUP)))
                .build(SELF, type -> {
                    type.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SYNTHETIC)
                            .withSuperclass(parent)
                            .withMethodBody(
                                    INIT_NAME,
                                    ConstantDescs.MTD_void,
                                    0,
                                    code -> code.aload(0)
                                            .invokespecial(parent, INIT_NAME, ConstantDescs.MTD_void)
                                            .return_());
                    loops(type);
                });
    }

    private void loops(ClassBuilder type) {
        if (kernel.seesGroups()) {
            type.withMethodBody("run", MethodTypeDesc.of(CD_void, parameters(2)), ClassFile.ACC_PUBLIC, this::groups);
        } else if (plan == null) {
            type.withMethodBody("box", BOX, 0, code -> loop(code).items());
        } else if (shape.hasShortRows() && Repetition.of(kernel).possible() && !window.narrowsRows()) {
            type.withMethodBody("box", BOX, 0, code -> loop(code).repeatedItems(plan, SELF, "rest", BOX));
            type.withMethodBody(
                    "rest", BOX, ClassFile.ACC_PRIVATE, code -> loop(code).vectors(plan));
        } else {
            type.withMethodBody("box", BOX, 0, code -> loop(code).vectors(plan));
        }
    }

    private BoxLoop loop(CodeBuilder code) {
        return new BoxLoop(code, kernel, shape, window, sites);
    }

    private static List<ClassDesc> parameters(int bounds) {
        List<ClassDesc> types = new ArrayList<>(List.of(CD_long.arrayType(), CD_long));
        types.addAll(Collections.nCopies(bounds, CD_long));
        return types;
    }

    /** Kernels that see groups are looped over group by group. */
    private void groups(CodeBuilder code) {
        LaunchLocals locals = new LaunchLocals(code, kernel, shape, LAUNCH, SCRATCH);
        int[] position = BoxLoop.position(code);
        Faults faults = new Faults(code, position[1], position[2], sites);
        Accesses accesses = new Accesses(code, shape, locals, faults, new OwnArrays(kernel));
        new GroupItems(code, kernel, locals, accesses, position).emit(FROM, TO);
        code.return_();
        faults.flush();
    }
}

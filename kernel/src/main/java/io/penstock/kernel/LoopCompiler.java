package io.penstock.kernel;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_Throwable;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;
import static java.lang.constant.ConstantDescs.INIT_NAME;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DynamicConstantDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Spins the hidden class whose loop calls one kernel.
 *
 * <p>The kernel's method handle is a constant of that class, so that the JVM inlines the kernel into the loop as if the loop
 * had been written around it by hand. Where the method cannot be reached (a package that its module does not open), the loop
 * calls the lambda itself: each kernel has its own loop class and so its own call site, which only ever sees that lambda.
 */
final class LoopCompiler {
    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
    private static final ClassDesc LOOP = desc(KernelLoop.class);
    private static final ClassDesc SELF = ClassDesc.of("io.penstock.kernel.CompiledLoop");
    private static final ClassDesc RANGE = desc(Range.class);
    private static final ClassDesc ITEM = desc(WorkItem.class);
    private static final ClassDesc FAILURE = desc(ItemFailure.class);
    private static final ClassDesc HANDLE = desc(MethodHandle.class);
    private static final DynamicConstantDesc<MethodHandle> KERNEL = DynamicConstantDesc.ofNamed(
            ConstantDescs.ofConstantBootstrap(desc(MethodHandles.class), "classData", CD_Object),
            ConstantDescs.DEFAULT_NAME,
            HANDLE);

    // The parameters of KernelLoop.run by their local variable slots.
    private static final int BODY = 1;
    private static final int VALUES = 2;
    private static final int SPACE = 3;
    private static final int FROM = 4;
    private static final int TO = 6;

    private final List<Class<?>> parameters;
    private final int item;
    private final int skipped;
    private final @Nullable Class<?> face;

    private LoopCompiler(List<Class<?>> parameters, int item, int skipped, @Nullable Class<?> face) {
        this.parameters = parameters;
        this.item = item;
        this.skipped = skipped;
        this.face = face;
    }

    /**
     * A loop that calls a method.
     *
     * @param item which of the method's parameters is the work-item
     */
    static KernelLoop calling(MethodHandle kernel, int item) {
        LoopCompiler compiler = new LoopCompiler(kernel.type().parameterList(), item, 0, null);
        return define(compiler.spin(), kernel);
    }

    /**
     * A loop that calls a lambda through its interface.
     *
     * @param arguments how many arguments the lambda takes beside the work-item
     * @param captured how many values the lambda holds itself, which come before the arguments among the loop's values
     */
    static KernelLoop calling(Class<?> face, int arguments, int captured) {
        MethodType erased = MethodType.genericMethodType(arguments).insertParameterTypes(0, WorkItem.class);
        LoopCompiler compiler = new LoopCompiler(erased.parameterList(), 0, captured, face);
        return define(compiler.spin(), face);
    }

    private static KernelLoop define(byte[] bytes, Object classData) {
        try {
            MethodHandles.Lookup loop = LOOKUP.defineHiddenClassWithClassData(bytes, classData, true);
            MethodType none = MethodType.methodType(void.class);
            return (KernelLoop) loop.findConstructor(loop.lookupClass(), none).invoke();
        } catch (Throwable e) {
            throw new IllegalStateException("the loop of a kernel could not be defined", e);
        }
    }

    private byte[] spin() {
        return ClassFile.of(ClassFile.ClassHierarchyResolverOption.of(ClassHierarchyResolver.ofClassLoading(LOOKUP)))
                .build(
                        SELF,
                        type -> type.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SYNTHETIC)
                                .withSuperclass(LOOP)
                                .withMethodBody(
                                        INIT_NAME,
                                        ConstantDescs.MTD_void,
                                        0,
                                        code -> code.aload(0)
                                                .invokespecial(LOOP, INIT_NAME, ConstantDescs.MTD_void)
                                                .return_())
                                .withMethodBody(
                                        "run",
                                        MethodTypeDesc.of(
                                                CD_void,
                                                desc(KernelBody.class),
                                                CD_Object.arrayType(),
                                                RANGE,
                                                CD_long,
                                                CD_long),
                                        0,
                                        this::loop));
    }

    /**
     * The loop, as it would be in Java:
     *
     * <pre>{@code
     * long x = from % sizeX, y = from / sizeX % sizeY, z = from / sizeX / sizeY;
     * try {
     *     while (from < to) {
     *         long stop = Math.min(sizeX, to - from + x);
     *         from += stop - x;
     *         for (; x < stop; x++) kernel(..., new WorkItem(x, y, z, range), ...);
     *         x = 0;
     *         if (++y == sizeY) { y = 0; z++; }
     *     }
     * } catch (Throwable failure) {
     *     throw new ItemFailure(failure, x, y, z);
     * }
     * }</pre>
     */
    private void loop(CodeBuilder code) {
        int[] values = unpack(code);
        int sizeX = size(code, "x");
        int sizeY = size(code, "y");
        int x = code.allocateLocal(TypeKind.LONG);
        int y = code.allocateLocal(TypeKind.LONG);
        int z = code.allocateLocal(TypeKind.LONG);
        int stop = code.allocateLocal(TypeKind.LONG);
        code.lload(FROM).lload(sizeX).lrem().lstore(x);
        code.lload(FROM).lload(sizeX).ldiv().lload(sizeY).lrem().lstore(y);
        code.lload(FROM).lload(sizeX).ldiv().lload(sizeY).ldiv().lstore(z);
        code.trying(
                body -> {
                    Label rows = body.newBoundLabel();
                    Label end = body.newLabel();
                    body.lload(FROM).lload(TO).lcmp().ifge(end);
                    body.lload(sizeX).lload(TO).lload(FROM).lsub().lload(x).ladd();
                    body.invokestatic(desc(Math.class), "min", MethodTypeDesc.of(CD_long, CD_long, CD_long));
                    body.lstore(stop);
                    body.lload(FROM).lload(stop).ladd().lload(x).lsub().lstore(FROM);
                    Label items = body.newLabel();
                    Label rowEnd = body.newLabel();
                    body.labelBinding(items);
                    body.lload(x).lload(stop).lcmp().ifge(rowEnd);
                    call(body, values, x, y, z);
                    body.lload(x).lconst_1().ladd().lstore(x);
                    body.goto_(items);
                    body.labelBinding(rowEnd);
                    body.lconst_0().lstore(x);
                    body.lload(y).lconst_1().ladd().lstore(y);
                    body.lload(y).lload(sizeY).lcmp().ifne(rows);
                    body.lconst_0().lstore(y);
                    body.lload(z).lconst_1().ladd().lstore(z);
                    body.goto_(rows);
                    body.labelBinding(end);
                    body.return_();
                },
                handlers -> handlers.catchingAll(handler -> {
                    int failure = handler.allocateLocal(TypeKind.REFERENCE);
                    handler.astore(failure).new_(FAILURE).dup().aload(failure);
                    handler.lload(x).lload(y).lload(z);
                    handler.invokespecial(
                            FAILURE, INIT_NAME, MethodTypeDesc.of(CD_void, CD_Throwable, CD_long, CD_long, CD_long));
                    handler.athrow();
                }));
    }

    /** Moves the values into local variables of their own types; returns their slots, the item's unused. */
    private int[] unpack(CodeBuilder code) {
        int[] slots = new int[parameters.size()];
        int next = skipped;
        for (int k = 0; k < slots.length; k++) {
            if (k == item) continue;
            Class<?> type = parameters.get(k);
            code.aload(VALUES).loadConstant(next++).aaload();
            if (type.isPrimitive()) {
                ClassDesc box = desc(MethodType.methodType(type).wrap().returnType());
                code.checkcast(box).invokevirtual(box, type.getName() + "Value", MethodTypeDesc.of(desc(type)));
            } else {
                code.checkcast(desc(type));
            }
            slots[k] = code.allocateLocal(TypeKind.from(desc(type)));
            code.storeLocal(TypeKind.from(desc(type)), slots[k]);
        }
        return slots;
    }

    private static int size(CodeBuilder code, String dimension) {
        int slot = code.allocateLocal(TypeKind.LONG);
        code.aload(SPACE)
                .invokevirtual(RANGE, dimension, MethodTypeDesc.of(CD_long))
                .lstore(slot);
        return slot;
    }

    private void call(CodeBuilder code, int[] values, int x, int y, int z) {
        if (face == null) code.loadConstant(KERNEL);
        else code.aload(BODY).checkcast(desc(face));
        List<ClassDesc> types = new ArrayList<>();
        for (int k = 0; k < values.length; k++) {
            Class<?> type = parameters.get(k);
            types.add(desc(type));
            if (k != item) {
                code.loadLocal(TypeKind.from(desc(type)), values[k]);
                continue;
            }
            code.new_(ITEM).dup().lload(x).lload(y).lload(z).aload(SPACE);
            code.invokespecial(ITEM, INIT_NAME, MethodTypeDesc.of(CD_void, CD_long, CD_long, CD_long, RANGE));
        }
        MethodTypeDesc type = MethodTypeDesc.of(CD_void, types);
        if (face == null) code.invokevirtual(HANDLE, "invokeExact", type);
        else code.invokeinterface(desc(face), "run", type);
    }

    private static ClassDesc desc(Class<?> type) {
        return type.describeConstable().orElseThrow();
    }
}

package io.penstock.kernel;

import static java.lang.constant.ConstantDescs.CD_double;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;
import static java.lang.constant.ConstantDescs.INIT_NAME;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;

/** Writes the bytecode of {@link MapCode}: elements fetched, converted, handed to functions and stored. */
final class MapWriter {
    private static final ClassDesc MATH = ClassDesc.of("java.lang.Math");
    private static final Map<Class<?>, Class<?>> PARTS = Map.of(
            Bytes.class, byte.class,
            Ints.class, int.class,
            Longs.class, long.class,
            Floats.class, float.class,
            Doubles.class, double.class,
            ComplexFloats.class, float.class,
            ComplexDoubles.class, double.class);

    private final CodeBuilder code;
    private final List<Class<?>> parameters;
    private final int[] slots;

    MapWriter(CodeBuilder code, List<Class<?>> parameters) {
        this.code = code;
        this.parameters = parameters;
        this.slots = new int[parameters.size()];
        for (int k = 0; k < slots.length; k++) slots[k] = code.parameterSlot(k);
    }

    static ClassDesc desc(Class<?> type) {
        return type.describeConstable().orElseThrow();
    }

    private static boolean isComplex(Class<?> view) {
        return view == ComplexFloats.class || view == ComplexDoubles.class;
    }

    /** Pushes a parameter. */
    void load(int parameter) {
        code.loadLocal(TypeKind.from(desc(parameters.get(parameter))), slots[parameter]);
    }

    /** Pushes an index of the work-item: 0 for x, 1 for y, 2 for z. */
    void item(int parameter, int dimension) {
        load(parameter);
        String name = dimension == 0 ? "x" : dimension == 1 ? "y" : "z";
        code.invokevirtual(desc(WorkItem.class), name, MethodTypeDesc.of(CD_long));
    }

    /** Keeps a long that is computed here in a local variable, whose slot is returned. */
    int number(Runnable computation) {
        int slot = code.allocateLocal(TypeKind.LONG);
        computation.run();
        code.lstore(slot);
        return slot;
    }

    /** Pops a value into a new local variable, whose slot is returned. */
    int store(Class<?> type) {
        int slot = code.allocateLocal(TypeKind.from(desc(type)));
        storeTo(slot, type);
        return slot;
    }

    void storeTo(int slot, Class<?> type) {
        code.storeLocal(TypeKind.from(desc(type)), slot);
    }

    /** Pushes a local variable as another type. */
    void loadLocal(int slot, Class<?> type, Class<?> as) {
        code.loadLocal(TypeKind.from(desc(type)), slot);
        cast(type, as);
    }

    /** Pushes a number that is a parameter, or a record that is two. */
    void given(Class<?> type, int parameter) {
        if (type.isPrimitive()) {
            load(parameter);
            return;
        }
        code.new_(desc(type)).dup();
        load(parameter);
        load(parameter + 1);
        construct(type);
    }

    private void construct(Class<?> record) {
        code.invokespecial(desc(record), INIT_NAME, MethodTypeDesc.of(CD_void, CD_double, CD_double));
    }

    // An element is on its way as a view and its indices on the stack, until it is known as what it is wanted.

    /** What {@link #get} has left on the stack. */
    private Class<?> view = Doubles.class;

    private int dimensions;

    /** Says that a view and as many indices as {@code count} are on the stack, of which the element is wanted. */
    void get(Class<?> viewType, int count) {
        view = viewType;
        dimensions = count;
    }

    /**
     * Pushes a function's result.
     *
     * @param firstCapture the parameter that holds the first of its captured values
     * @param operand pushes an operand as the function takes it, or leaves a view and indices with {@link #get}
     */
    void callOn(ElementFunction function, int firstCapture, IntConsumer operand) {
        for (int k = 0; k < function.captures(); k++) load(firstCapture + k);
        List<Class<?>> types = function.type().parameterList();
        for (int k = function.captures(); k < types.size(); k++) {
            dimensions = 0;
            Class<?> type = types.get(k);
            boolean isRecord = !type.isPrimitive();
            operand.accept(k - function.captures());
            if (dimensions > 0) convertElement(view, type);
            if (isRecord) requireRecord(type);
        }
        dimensions = 0;
        code.invokestatic(
                desc(function.declaring()),
                function.method(),
                function.type().describeConstable().orElseThrow(),
                function.declaring().isInterface());
    }

    /** Replaces a view and indices on the stack by the element, as a type. */
    void convertElement(Class<?> viewType, Class<?> as) {
        int count = dimensions;
        dimensions = 0;
        Class<?> part = PARTS.getOrDefault(viewType, double.class);
        ClassDesc[] indices = new ClassDesc[count];
        Arrays.fill(indices, CD_long);
        MethodTypeDesc getter = MethodTypeDesc.of(desc(part), indices);
        if (as.isPrimitive()) {
            code.invokevirtual(desc(viewType), isComplex(viewType) ? "getRe" : "get", getter);
            widen(part);
            primitive(part == byte.class ? int.class : part, as);
            return;
        }
        int[] kept = new int[count];
        for (int k = count - 1; k >= 0; k--) {
            kept[k] = code.allocateLocal(TypeKind.LONG);
            code.lstore(kept[k]);
        }
        int from = code.allocateLocal(TypeKind.REFERENCE);
        code.astore(from).new_(desc(as)).dup();
        for (int which = 0; which < 2; which++) {
            if (which == 1 && !isComplex(viewType)) {
                code.dconst_0();
                continue;
            }
            code.aload(from);
            for (int slot : kept) code.lload(slot);
            code.invokevirtual(desc(viewType), isComplex(viewType) ? which == 0 ? "getRe" : "getIm" : "get", getter);
            widen(part);
            primitive(part == byte.class ? int.class : part, double.class);
        }
        construct(as);
    }

    private void widen(Class<?> part) {
        if (part == byte.class) code.loadConstant(255).iand();
    }

    private static void requireRecord(Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        if (components == null || components.length != 2 || components[0].getType() != double.class)
            throw new IllegalArgumentException("a function takes or returns " + type.getName()
                    + "; expected numbers, or a record of the two parts of a complex one");
    }

    /** Converts what is on the stack. */
    void cast(Class<?> from, Class<?> to) {
        if (from == to) return;
        if (from.isPrimitive() && to.isPrimitive()) {
            primitive(from, to);
        } else if (to.isPrimitive()) {
            part(from, 0);
            primitive(double.class, to);
        } else if (from.isPrimitive()) {
            int value = store(from);
            code.new_(desc(to)).dup();
            loadLocal(value, from, double.class);
            code.dconst_0();
            construct(to);
        }
    }

    private void part(Class<?> record, int which) {
        requireRecord(record);
        code.invokevirtual(desc(record), record.getRecordComponents()[which].getName(), MethodTypeDesc.of(CD_double));
    }

    /** Stores a value that is held in a local variable, to a view whose reference and indices are on the stack. */
    void set(Class<?> viewType, int count, Class<?> type, int slot) {
        Class<?> part = PARTS.getOrDefault(viewType, double.class);
        ClassDesc[] arguments = new ClassDesc[count + (isComplex(viewType) ? 2 : 1)];
        Arrays.fill(arguments, 0, count, CD_long);
        Arrays.fill(arguments, count, arguments.length, desc(part));
        for (int which = 0; which < (isComplex(viewType) ? 2 : 1); which++) {
            if (type.isPrimitive()) {
                if (which == 0) loadLocal(slot, type, type);
                else code.dconst_0();
                narrow(which == 0 ? type : double.class, part);
            } else {
                code.aload(slot);
                part(type, which);
                narrow(double.class, part);
            }
        }
        code.invokevirtual(desc(viewType), "set", MethodTypeDesc.of(CD_void, arguments));
    }

    /** As {@link #primitive}, but that floating-point numbers saturate in unsigned bytes. */
    private void narrow(Class<?> from, Class<?> to) {
        if (to != byte.class) {
            primitive(from, to);
            return;
        }
        primitive(from, long.class);
        if (from == double.class || from == float.class) {
            code.loadConstant(255L).invokestatic(MATH, "min", MethodTypeDesc.of(CD_long, CD_long, CD_long));
            code.lconst_0().invokestatic(MATH, "max", MethodTypeDesc.of(CD_long, CD_long, CD_long));
        }
        code.l2i().i2b();
    }

    private void primitive(Class<?> from, Class<?> to) {
        TypeKind source = TypeKind.from(desc(from)).asLoadable();
        TypeKind target = TypeKind.from(desc(to)).asLoadable();
        if (source != target) code.conversion(source, target);
    }
}

package io.penstock.kernel;

import io.penstock.kernel.ir.ClassBytes;
import java.lang.classfile.ClassFile;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The method that a kernel runs, with its loop, which is compiled when the JVM first runs it.
 *
 * <p>There is one per method, kept by the class that declares it: lambdas that reach the same method share it, and it goes
 * when that class is unloaded.
 */
final class Implementation {
    private static final Set<Class<?>> VIEWS = Set.of(
            Bytes.class,
            Ints.class,
            Longs.class,
            Floats.class,
            Doubles.class,
            ComplexFloats.class,
            ComplexDoubles.class);
    private static final ClassValue<ConcurrentHashMap<String, Implementation>> KNOWN = new ClassValue<>() {
        @Override
        protected ConcurrentHashMap<String, Implementation> computeValue(Class<?> type) {
            return new ConcurrentHashMap<>();
        }
    };

    private final Class<?> declaring;
    private final String method;
    private final MethodType type;
    private final int captured;
    /** The parameters that are records, by their positions. */
    private final Map<Integer, RecordArgument> records;

    private final Supplier<KernelLoop> compiler;
    private final String name;
    private final ClassBytes classes;
    private final String owner;
    private final LaunchTiming timing = new LaunchTiming();
    private final LaunchReach reach = new LaunchReach(this);
    private final DeviceKernels devices = new DeviceKernels(this);
    private final CompiledLaunches compiled = new CompiledLaunches(this);
    private volatile @Nullable KernelLoop loop;
    private volatile @Nullable Translation translation;

    private Implementation(
            Class<?> declaring,
            String method,
            MethodType type,
            int captured,
            Map<Integer, RecordArgument> records,
            Supplier<KernelLoop> compiler) {
        this.records = records;
        this.declaring = declaring;
        this.method = method;
        this.type = type;
        this.captured = captured;
        this.compiler = compiler;
        this.name = name(declaring, method);
        this.classes = ClassBytes.visibleFrom(declaring);
        this.owner = declaring.getName().replace('.', '/');
    }

    /**
     * The only method of a class that was generated for it.
     *
     * @param within reaches the class
     * @param owner the internal name by which {@code classes} knows it
     * @param name what messages call the kernel
     */
    Implementation(
            MethodHandles.Lookup within,
            String method,
            MethodType type,
            int captured,
            ClassBytes classes,
            String owner,
            String name) {
        this.records = Map.of();
        this.declaring = within.lookupClass();
        this.method = method;
        this.type = type;
        this.captured = captured;
        this.classes = classes;
        this.owner = owner;
        this.name = name;
        try {
            MethodHandle handle = within.findStatic(declaring, method, type);
            this.compiler = () -> LoopCompiler.calling(handle, captured);
        } catch (NoSuchMethodException | IllegalAccessException e) {
            throw new IllegalStateException("the generated kernel " + name + " cannot be reached", e);
        }
    }

    /**
     * A static method as a kernel.
     *
     * @param captured how many values come before the work-item
     * @param lookup reaches the method; null to find out whether this module can
     * @param face the interface of the lambda that reaches the method when nothing else does
     */
    static Implementation of(
            Class<?> declaring,
            String method,
            MethodType type,
            int captured,
            MethodHandles.@Nullable Lookup lookup,
            @Nullable Class<?> face) {
        ConcurrentHashMap<String, Implementation> known = KNOWN.get(declaring);
        String key = method + type.toMethodDescriptorString() + captured;
        Implementation found = known.get(key);
        if (found != null) return found;
        check(name(declaring, method), type, captured);
        return known.computeIfAbsent(key, k -> {
            Supplier<KernelLoop> compiler;
            Map<Integer, RecordArgument> records = new HashMap<>();
            try {
                MethodHandles.Lookup within =
                        lookup != null ? lookup : MethodHandles.privateLookupIn(declaring, MethodHandles.lookup());
                for (int p = 0; p < type.parameterCount(); p++)
                    if (type.parameterType(p).isRecord())
                        records.put(p, RecordArgument.of(type.parameterType(p), within));
                MethodHandle handle = ofNumbers(within.findStatic(declaring, method, type), records);
                int item = numbers(records, captured);
                compiler = () -> LoopCompiler.calling(handle, item);
            } catch (IllegalAccessException | NoSuchMethodException e) {
                if (face == null || type.parameterList().stream().anyMatch(Class::isRecord))
                    throw new IllegalArgumentException(
                            "kernel " + name(declaring, method) + " cannot be reached with the lookup " + lookup
                                    + "; give MethodHandles.lookup() of a class that may call it",
                            e);
                compiler = () -> LoopCompiler.calling(face, type.parameterCount() - captured - 1, captured);
            }
            return new Implementation(declaring, method, type, captured, records, compiler);
        });
    }

    /** The only method of a class that is defined here, next to the class of a lookup. */
    static Implementation ofGenerated(MethodHandles.Lookup lookup, byte[] classFile) {
        String owner = ClassFile.of().parse(classFile).thisClass().asInternalName();
        String shown = owner.substring(owner.lastIndexOf('/') + 1);
        try {
            MethodHandles.Lookup hidden = lookup.defineHiddenClass(classFile, true);
            Method[] methods = hidden.lookupClass().getDeclaredMethods();
            if (methods.length != 1 || !Modifier.isStatic(methods[0].getModifiers()))
                throw new IllegalArgumentException(
                        "classFile has " + methods.length + " methods; expected one, a static one");
            String method = methods[0].getName();
            MethodType type = MethodType.methodType(methods[0].getReturnType(), methods[0].getParameterTypes());
            String name = shown + "." + method;
            check(name, type, 0);
            if (type.parameterList().stream().anyMatch(Class::isRecord))
                throw new IllegalArgumentException("kernel " + name + " takes a record; expected its numbers");
            ClassBytes classes = ClassBytes.generated(owner, classFile, lookup.lookupClass());
            return new Implementation(hidden, method, type, 0, classes, owner, name);
        } catch (IllegalAccessException e) {
            throw new IllegalArgumentException(
                    "class " + shown + " cannot be defined with the lookup " + lookup
                            + "; give MethodHandles.lookup() of a class of its package",
                    e);
        }
    }

    /** A method that takes the numbers of records in the places of these. */
    private static MethodHandle ofNumbers(MethodHandle method, Map<Integer, RecordArgument> records) {
        MethodHandle flat = method;
        for (int p = method.type().parameterCount() - 1; p >= 0; p--) {
            RecordArgument record = records.get(p);
            if (record != null) flat = MethodHandles.collectArguments(flat, p, record.construct());
        }
        return flat;
    }

    /** How many values the first parameters have, of records the numbers. */
    private static int numbers(Map<Integer, RecordArgument> records, int parameters) {
        int numbers = 0;
        for (int p = 0; p < parameters; p++) {
            RecordArgument record = records.get(p);
            numbers += record == null ? 1 : record.size();
        }
        return numbers;
    }

    private static void check(String name, MethodType type, int captured) {
        if (type.returnType() != void.class)
            throw new IllegalArgumentException("kernel " + name + " returns "
                    + type.returnType().getSimpleName() + "; expected void, with results stored through its views");
        for (int k = 0; k < type.parameterCount(); k++) {
            Class<?> parameter = type.parameterType(k);
            if (k == captured) {
                if (parameter != WorkItem.class)
                    throw new IllegalArgumentException(
                            "kernel " + name + " takes a " + parameter.getSimpleName() + " first; expected a WorkItem");
            } else if (!parameter.isPrimitive()
                    && !VIEWS.contains(parameter)
                    && !Scalars.isBox(parameter)
                    && !RecordArgument.fits(parameter)) {
                throw new IllegalArgumentException(
                        k < captured
                                ? "kernel " + name + " captures " + parameter.getTypeName()
                                        + "; expected primitives, records of them or element views (copy what it needs of others to local"
                                        + " variables, pass arrays as arguments)"
                                : "parameter " + (k - captured) + " of kernel " + name + " is "
                                        + parameter.getTypeName()
                                        + "; expected a primitive, a record of primitives or an element view such as Floats");
            }
        }
        if (captured >= type.parameterCount())
            throw new IllegalArgumentException("kernel " + name + " takes nothing; expected a WorkItem first");
    }

    static String name(Class<?> declaring, String method) {
        return shown(declaring) + "." + method;
    }

    private static String shown(Class<?> declaring) {
        return shown(declaring.getName());
    }

    /** A class as {@link #name} has it. */
    static String shown(String className) {
        return className.substring(className.lastIndexOf('.') + 1).replace('$', '.');
    }

    /** The class that the kernel's author has written, as {@link #name} has it. */
    String shownClass() {
        return name.substring(0, name.lastIndexOf('.'));
    }

    /** The class and the method, such as {@code Example.copyColumn}. */
    String name() {
        return name;
    }

    /** Where the class files of the kernel and of what it calls are read. */
    ClassBytes classes() {
        return classes;
    }

    /** The internal name by which {@link #classes} knows the kernel's class. */
    String owner() {
        return owner;
    }

    Class<?> declaring() {
        return declaring;
    }

    String method() {
        return method;
    }

    MethodType type() {
        return type;
    }

    /** How many captured values come before the work-item. */
    int captured() {
        return captured;
    }

    /** How many of a launch's values the kernel captures, of records the numbers. */
    int capturedValues() {
        return numbers(records, captured);
    }

    /** Whether a captured value or an argument is a record. */
    boolean takesRecords() {
        return !records.isEmpty();
    }

    /** How a captured value that is a record becomes numbers; null for other values. */
    @Nullable
    RecordArgument capturedRecord(int k) {
        return records.get(k);
    }

    /** How many arguments a launch gives. */
    int arguments() {
        return type.parameterCount() - captured - 1;
    }

    /** The type of a launch's argument. */
    Class<?> argument(int k) {
        return type.parameterType(captured + 1 + k);
    }

    /** How an argument that is a record becomes numbers; null for other arguments. */
    @Nullable
    RecordArgument record(int k) {
        return records.get(captured + 1 + k);
    }

    /** The position among the method's parameters of what one of a launch's values belongs to. */
    int parameterOf(int value) {
        int next = 0;
        for (int p = 0; p < type.parameterCount(); p++) {
            if (p == captured) continue;
            RecordArgument record = records.get(p);
            next += record == null ? 1 : record.size();
            if (value < next) return p;
        }
        throw new IllegalArgumentException("kernel " + name + " has no value " + value);
    }

    KernelLoop loop() {
        KernelLoop known = loop;
        if (known != null) return known;
        synchronized (compiler) {
            known = loop;
            if (known == null) loop = known = compiler.get();
            return known;
        }
    }

    /** The kernel in the intermediate form, translated on first use. */
    Translation translation() {
        Translation known = translation;
        if (known != null) return known;
        synchronized (reach) {
            known = translation;
            if (known == null) translation = known = Translation.of(this);
            return known;
        }
    }

    /** The kernel's code on devices. */
    DeviceKernels devices() {
        return devices;
    }

    /** The kernel's code on the JVM. */
    CompiledLaunches compiled() {
        return compiled;
    }

    LaunchReach reach() {
        return reach;
    }

    LaunchTiming timing() {
        return timing;
    }
}

package io.penstock.kernel.ir;

import java.lang.classfile.ClassFile;
import java.lang.classfile.MethodModel;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Translates the static method of a kernel from its class file, with all methods that it calls inlined. */
public final class FrontEnd {
    private static final ClassDesc ITEM = ClassDesc.of("io.penstock.kernel.WorkItem");

    private FrontEnd() {}

    /**
     * A kernel's code.
     *
     * @param owner the internal name of its class, such as {@code com/example/Kernels}
     * @param captured how many values come before the work-item among the method's parameters
     * @throws KernelRefusedException naming what the kernel language does not have
     */
    public static KernelCode translate(ClassBytes files, String owner, String method, String descriptor, int captured) {
        ParsedClasses classes = new ParsedClasses(files);
        MethodBody body = MethodBody.find(classes, owner, method, descriptor);
        if (body == null)
            throw new KernelRefusedException(
                    new Position(owner.replace('/', '.') + "." + method, "unknown source", -1, null),
                    "has no class file that can be read",
                    "load the class with a loader that gives its class files");
        Block entry = new Block();
        Position start = body.position(0, null);
        Emission emission = new Emission(classes, entry, start);
        emission.calls().add(body.identity());
        List<Parameter> parameters = new ArrayList<>();
        List<Value> arguments = new ArrayList<>();
        int slot = 0;
        for (int k = 0; k < body.type().parameterCount(); k++) {
            ClassDesc type = body.type().parameterType(k);
            RecordShape shape = k == captured ? null : shape(classes, type);
            if (k == captured) {
                arguments.add(new Value(Operation.ITEM, ValueType.REFERENCE, null, List.of(), start));
            } else if (shape != null) {
                List<Value> numbers = new ArrayList<>();
                String name = body.parameterName(slot, "argument" + (k - captured));
                for (ValueType number : shape.numbers()) {
                    String part = Boxes.shape(shape.type()) == null ? name + "." + numbers.size() : name;
                    Parameter parameter = new Parameter(parameters.size(), part, number, null);
                    parameters.add(parameter);
                    numbers.add(new Value(Operation.PARAMETER, number, parameter, List.of(), start));
                }
                entry.mutableValues().addAll(numbers);
                arguments.add(shape.of(numbers.iterator()));
            } else {
                Parameter parameter =
                        parameter(parameters.size(), body.parameterName(slot, "argument" + (k - captured)), type);
                parameters.add(parameter);
                Value argument = new Value(Operation.PARAMETER, parameter.type(), parameter, List.of(), start);
                arguments.add(argument);
                entry.mutableValues().add(argument);
            }
            slot += TypeKind.from(type).slotSize();
        }
        new MethodTranslator(emission, body, null).translate(arguments);
        KernelCode code = Simplification.of(body.display(), parameters, entry);
        requireKnownExtents(code);
        Uniformity.requireAtBarriers(code);
        return code;
    }

    /**
     * The code of a kernel that is named rather than passed: the only static method of that name that takes a work-item.
     *
     * @param owner the internal name of its class
     * @throws IllegalArgumentException when there is no such method, or more than one
     * @throws KernelRefusedException naming what the kernel language does not have
     */
    public static KernelCode translate(ClassBytes classes, String owner, String method) {
        byte[] bytes = classes.of(owner);
        if (bytes == null)
            throw new IllegalArgumentException("there is no class " + owner.replace('/', '.') + " on the class path");
        List<MethodModel> kernels = ClassFile.of().parse(bytes).methods().stream()
                .filter(m -> m.flags().has(AccessFlag.STATIC)
                        && m.methodTypeSymbol().parameterList().contains(ITEM))
                .toList();
        List<MethodTypeDesc> found = kernels.stream()
                .filter(m -> m.methodName().equalsString(method))
                .map(MethodModel::methodTypeSymbol)
                .toList();
        if (found.size() != 1)
            throw new IllegalArgumentException(owner.replace('/', '.') + " has " + found.size()
                    + " static methods named " + method + " that take a WorkItem; expected one of "
                    + kernels.stream()
                            .map(m -> m.methodName().stringValue())
                            .distinct()
                            .sorted()
                            .toList());
        MethodTypeDesc type = found.getFirst();
        return translate(
                classes,
                owner,
                method,
                type.descriptorString(),
                type.parameterList().indexOf(ITEM));
    }

    private static void requireKnownExtents(KernelCode code) {
        for (Value array : code.localArrays())
            for (Value extent : array.operands())
                if (!LaunchConstant.is(extent))
                    throw new KernelRefusedException(
                            Objects.requireNonNull(array.position()),
                            "shares an array whose size is not known when the launch begins",
                            "compute its size from constants, scalars and the sizes of views, range and groups");
    }

    /** The shape of a parameter that is a record or a box; null for others. */
    private static @Nullable RecordShape shape(ParsedClasses classes, ClassDesc type) {
        String descriptor = type.descriptorString();
        if (!type.isClassOrInterface()) return null;
        String name = descriptor.substring(1, descriptor.length() - 1);
        RecordShape box = Boxes.shape(name);
        if (box != null) return box;
        return Element.ofView(name) == null ? RecordShape.find(classes, name) : null;
    }

    private static Parameter parameter(int index, String name, ClassDesc type) {
        if (type.isPrimitive()) return new Parameter(index, name, FrameState.type(TypeKind.from(type)), null);
        String descriptor = type.descriptorString();
        return new Parameter(
                index, name, ValueType.REFERENCE, Element.ofView(descriptor.substring(1, descriptor.length() - 1)));
    }
}

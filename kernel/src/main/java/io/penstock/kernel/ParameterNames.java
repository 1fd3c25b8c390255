package io.penstock.kernel;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.LocalVariableInfo;
import java.util.ArrayList;
import java.util.List;

/** The names that a kernel's source gives its parameters, read from the debugging data of its class file for messages. */
final class ParameterNames {
    private ParameterNames() {}

    /** The names of the arguments of a launch; {@code argument1} and so on where the class file has none. */
    static List<String> of(Implementation implementation) {
        List<String> all = all(implementation);
        return all.subList(implementation.captured() + 1, all.size());
    }

    /** The names of all parameters of the method, captured values and the work-item included. */
    static List<String> all(Implementation implementation) {
        int count = implementation.type().parameterCount();
        List<String> names = new ArrayList<>();
        for (int k = 0; k < count; k++) names.add("argument" + (k - implementation.captured()));
        String path = implementation.declaring().getName();
        try (InputStream file =
                implementation.declaring().getResourceAsStream(path.substring(path.lastIndexOf('.') + 1) + ".class")) {
            if (file != null) read(ClassFile.of().parse(file.readAllBytes()), implementation, names);
        } catch (IOException | IllegalArgumentException e) {
            // The names are a courtesy of messages about other errors, which must not be lost over them.
            return names;
        }
        return names;
    }

    private static void read(ClassModel type, Implementation implementation, List<String> names) {
        for (MethodModel method : type.methods()) {
            if (!method.methodName().equalsString(implementation.method())
                    || !method.methodType().equalsString(implementation.type().toMethodDescriptorString())) continue;
            method.code()
                    .flatMap(code -> code.findAttribute(Attributes.localVariableTable()))
                    .ifPresent(table -> {
                        int slot = 0;
                        for (int k = 0; k < names.size(); k++) {
                            for (LocalVariableInfo variable : table.localVariables())
                                if (variable.slot() == slot && variable.startPc() == 0)
                                    names.set(k, variable.name().stringValue());
                            Class<?> parameter = implementation.type().parameterType(k);
                            slot += parameter == long.class || parameter == double.class ? 2 : 1;
                        }
                    });
        }
    }

    /** The arguments as a list of declarations, such as {@code Floats a, int column}. */
    static String describe(Implementation implementation) {
        List<String> names = of(implementation);
        if (names.isEmpty()) return "none";
        List<String> declarations = new ArrayList<>();
        for (int k = 0; k < names.size(); k++)
            declarations.add(implementation.argument(k).getSimpleName() + " " + names.get(k));
        return String.join(", ", declarations);
    }
}

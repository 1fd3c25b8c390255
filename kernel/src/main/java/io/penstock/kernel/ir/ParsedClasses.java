package io.penstock.kernel.ir;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The class files that a translation looks at, each read and parsed once. For one thread. */
final class ParsedClasses {
    private final ClassBytes classes;
    private final Map<String, Optional<ClassModel>> known = new HashMap<>();

    ParsedClasses(ClassBytes classes) {
        this.classes = classes;
    }

    /** A class by its internal name; null when there is no file of it. */
    @Nullable
    ClassModel of(String name) {
        return known.computeIfAbsent(
                        name,
                        missing -> Optional.ofNullable(classes.of(missing))
                                .map(bytes -> ClassFile.of().parse(bytes)))
                .orElse(null);
    }

    /** Whether assertions are on in a class, by its internal name. */
    boolean assertions(String name) {
        return classes.assertions(name);
    }
}

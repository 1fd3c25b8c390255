package io.penstock.kernel;

import io.penstock.kernel.ir.ClassBytes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Class files that notes down which of them the compiler looks at, those of Java's own packages left out: these are what the version of
 * the JVM says. For one thread.
 */
final class SeenClasses implements ClassBytes {
    private static final String JAVA = "java/";

    private final ClassBytes files;
    private final Map<String, ClassSum> seen = new LinkedHashMap<>();

    SeenClasses(ClassBytes files) {
        this.files = files;
    }

    @Override
    public byte @Nullable [] of(String internalName) {
        byte[] file = files.of(internalName);
        if (!internalName.startsWith(JAVA)) seen.put(internalName, ClassSum.of(internalName, file));
        return file;
    }

    @Override
    public boolean assertions(String internalName) {
        boolean on = files.assertions(internalName);
        ClassSum known = seen.get(internalName);
        if (known == null) known = ClassSum.of(internalName, files.of(internalName));
        seen.put(internalName, known.with(on));
        return on;
    }

    /** All that were looked at. */
    List<ClassSum> sums() {
        return List.copyOf(seen.values());
    }
}

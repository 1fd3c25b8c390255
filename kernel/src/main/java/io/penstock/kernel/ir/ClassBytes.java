package io.penstock.kernel.ir;

import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Where the class files of kernels and of what they call are read. */
@FunctionalInterface
public interface ClassBytes {
    /** A class file by the class's internal name, such as {@code java/lang/Math}; null when there is none. */
    byte @Nullable [] of(String internalName);

    /** Whether assertions are on, for kernels as for other code of their classes. */
    default boolean assertions() {
        return true;
    }

    /** Class files as the loader of a class finds them, and assertions as the class has them. */
    static ClassBytes visibleFrom(Class<?> type) {
        return new ClassBytes() {
            @Override
            public byte @Nullable [] of(String name) {
                String path = name + ".class";
                // A class finds its own file even in a module that opens nothing; a loader does not.
                String own = type.getName();
                try (InputStream file = name.equals(own.replace('.', '/'))
                        ? type.getResourceAsStream(own.substring(own.lastIndexOf('.') + 1) + ".class")
                        : type.getClassLoader() == null
                                ? ClassLoader.getSystemResourceAsStream(path)
                                : type.getClassLoader().getResourceAsStream(path)) {
                    return file == null ? null : file.readAllBytes();
                } catch (IOException e) {
                    return null;
                }
            }

            @Override
            public boolean assertions() {
                return type.desiredAssertionStatus();
            }
        };
    }
}

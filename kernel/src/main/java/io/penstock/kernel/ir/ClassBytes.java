package io.penstock.kernel.ir;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import org.jspecify.annotations.Nullable;

/** Where the class files of kernels and of what they call are read. */
@FunctionalInterface
public interface ClassBytes {
    /** A class file by the class's internal name, such as {@code java/lang/Math}; null when there is none. */
    byte @Nullable [] of(String internalName);

    /** Whether assertions are on in a class, by its internal name: for kernels as for other code there. */
    default boolean assertions(String internalName) {
        return true;
    }

    /** Class files as the loader of a class finds them, and assertions as their classes have them. */
    static ClassBytes visibleFrom(Class<?> type) {
        return new ClassBytes() {
            @Override
            public byte @Nullable [] of(String name) {
                return name.equals(type.getName().replace('.', '/'))
                        ? ClassBytes.fileOf(type)
                        : ClassBytes.fileOf(name, type.getClassLoader());
            }

            @Override
            public boolean assertions(String name) {
                // A nested class has those of the outermost one, as the compiler has it.
                return named(name).getNestHost().desiredAssertionStatus();
            }

            private Class<?> named(String name) {
                String binary = name.replace('/', '.');
                if (binary.equals(type.getName())) return type;
                try {
                    return Class.forName(binary, false, type.getClassLoader());
                } catch (ClassNotFoundException | LinkageError e) {
                    return type;
                }
            }
        };
    }

    /** A class that was generated, and the others as its neighbour's loader finds them. */
    static ClassBytes generated(String internalName, byte[] bytes, Class<?> neighbour) {
        ClassBytes others = visibleFrom(neighbour);
        return new ClassBytes() {
            @Override
            public byte @Nullable [] of(String name) {
                return name.equals(internalName) ? bytes : others.of(name);
            }

            @Override
            public boolean assertions(String name) {
                return others.assertions(name);
            }
        };
    }

    /** The file of a class that a loader finds by its internal name. */
    private static byte @Nullable [] fileOf(String name, @Nullable ClassLoader loader) {
        String path = name + ".class";
        try {
            if (loader == null) return read(ClassLoader.getSystemResourceAsStream(path));
            if (loader.equals(ClassLoader.getSystemClassLoader()) || name.startsWith("java/"))
                return read(loader.getResourceAsStream(path));
            return fileOf(Class.forName(name.replace('/', '.'), false, loader));
        } catch (IOException | ClassNotFoundException | LinkageError e) {
            return null;
        }
    }

    /**
     * The file of a class. A loader that does not ask its parent for classes first may do so for files, and then has the file of another
     * class of that name: so where its parent finds the same file, that is not what the class was made of.
     */
    private static byte @Nullable [] fileOf(Class<?> type) {
        String name = type.getName();
        ClassLoader loader = type.getClassLoader();
        try {
            // A class finds its own file even in a module that opens nothing; a loader does not.
            if (loader == null
                    || loader.equals(ClassLoader.getSystemClassLoader())
                    || type.getModule().isNamed())
                return read(type.getResourceAsStream(name.substring(name.lastIndexOf('.') + 1) + ".class"));
            String path = name.replace('.', '/') + ".class";
            URL file = loader instanceof URLClassLoader own ? own.findResource(path) : null;
            if (file == null) file = loader.getResource(path);
            URL other = loader.getParent() == null ? null : loader.getParent().getResource(path);
            boolean isOther = file != null && other != null && file.toString().equals(other.toString());
            return file == null || isOther ? null : read(file.openStream());
        } catch (IOException e) {
            return null;
        }
    }

    private static byte @Nullable [] read(@Nullable InputStream file) throws IOException {
        try (file) {
            return file == null ? null : file.readAllBytes();
        }
    }
}

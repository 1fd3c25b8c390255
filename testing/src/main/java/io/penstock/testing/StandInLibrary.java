package io.penstock.testing;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/** Stand-ins for C libraries that are not on every machine, written in C and compiled for a test; what they do is said in their sources. */
public final class StandInLibrary {
    private StandInLibrary() {}

    /**
     * Compiles a stand-in into a folder; the test is skipped where there is no C compiler.
     *
     * @param name the source among the resources of this package without its ending, such as {@code driver} for CUDA's driver
     * @return the library
     */
    public static Path compile(String name, Path folder) throws IOException, InterruptedException {
        Path source = folder.resolve(name + ".c");
        try (InputStream text = Objects.requireNonNull(StandInLibrary.class.getResourceAsStream(name + ".c"))) {
            Files.copy(text, source);
        }
        Path library = folder.resolve("lib" + name + "-standin.so");
        String[] command = {
            "cc", "-O1", "-shared", "-fPIC", "-pthread", "-o", library.toString(), source.toString(), "-ldl"
        };
        int status;
        try {
            status = new ProcessBuilder(command).inheritIO().start().waitFor();
        } catch (IOException e) {
            assumeTrue(false, "no C compiler to make a stand-in with");
            throw e;
        }
        if (status != 0) throw new IOException("the stand-in " + name + " does not compile");
        return library;
    }
}

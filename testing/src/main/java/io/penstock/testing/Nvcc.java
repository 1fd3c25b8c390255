package io.penstock.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/** CUDA's compiler, where it is installed. */
public final class Nvcc {
    private static final long MOST_MINUTES = 2;

    private Nvcc() {}

    /** Whether {@code nvcc} is on the path. */
    public static boolean isInstalled() {
        return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "nvcc")));
    }

    /**
     * Compiles a program to PTX.
     *
     * @param folder where its files go
     * @param name of the files
     * @return the compiler's complaints with the program; empty if it compiles
     * @throws IllegalStateException when the compiler takes minutes
     */
    public static String complaints(Path folder, String name, String program) {
        try {
            Path source = Files.writeString(folder.resolve(name + ".cu"), program);
            Path ptx = folder.resolve(name + ".ptx");
            Process compiler = new ProcessBuilder(
                            "nvcc", "-ptx", "-arch=sm_90", "-fmad=false", "-o", ptx.toString(), source.toString())
                    .redirectErrorStream(true)
                    .start();
            String complaints = new String(compiler.getInputStream().readAllBytes(), UTF_8);
            if (!compiler.waitFor(MOST_MINUTES, TimeUnit.MINUTES))
                throw new IllegalStateException("nvcc takes more than " + MOST_MINUTES + " minutes for " + source);
            return compiler.exitValue() == 0 ? "" : complaints + program;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while nvcc compiles " + name, e);
        }
    }
}

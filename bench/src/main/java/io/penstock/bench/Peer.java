package io.penstock.bench;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.penstock.array.DType;
import io.penstock.foreign.Libc;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The C twin of the dense loops: {@code peer.c}, compiled for this machine when a benchmark starts and called through FFM. */
final class Peer {
    private static final List<String> FLAGS =
            List.of("-O3", "-march=native", "-ffast-math", "-fopenmp", "-shared", "-fPIC");

    private final SymbolLookup library;

    private Peer(SymbolLookup library) {
        this.library = library;
    }

    /** Compiles the peer with the first of {@code cc}, {@code gcc} and {@code clang} that works; empty when none does. */
    static Optional<Peer> compile() {
        // Threads of OpenMP that spin after their loop would keep the core from the loop that is timed next, which
        // is ours.
        Libc.setenv("OMP_WAIT_POLICY", "passive", 1);
        return library("peer.c").map(Peer::new);
    }

    /** A C source beside this class, compiled in the same way. */
    static Optional<SymbolLookup> library(String name) {
        try {
            Path folder = Files.createTempDirectory("penstock-peer");
            Path source = folder.resolve(name);
            Path object = folder.resolve("peer.so");
            try (InputStream in =
                    Objects.requireNonNull(Peer.class.getResourceAsStream(name), () -> name + " is missing")) {
                Files.copy(in, source);
            }
            for (String compiler : List.of("cc", "gcc", "clang"))
                if (run(compiler, source, object))
                    return Optional.of(SymbolLookup.libraryLookup(object, Arena.global()));
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean run(String compiler, Path source, Path object) throws IOException {
        List<String> command = new ArrayList<>(List.of(compiler));
        command.addAll(FLAGS);
        command.addAll(List.of("-o", object.toString(), source.toString()));
        try {
            return new ProcessBuilder(command).inheritIO().start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** A loop {@code name(a, x, y, n, threads)}. */
    Loop loop(String name, DType dtype) {
        boolean single = dtype == DType.F32;
        MemoryLayout real = single ? JAVA_FLOAT : JAVA_DOUBLE;
        MethodHandle handle =
                bind(name + suffix(dtype), FunctionDescriptor.ofVoid(real, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT));
        return (a, x, y, n, threads) -> {
            try {
                if (single) handle.invokeExact((float) a, x, y, n, threads);
                else handle.invokeExact(a, x, y, n, threads);
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
        };
    }

    /** The dot product {@code dot(x, y, n, threads)}. */
    Dot dot(DType dtype) {
        MethodHandle handle = bind(
                "dot" + suffix(dtype), FunctionDescriptor.of(JAVA_DOUBLE, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT));
        return (x, y, n, threads) -> {
            try {
                return (double) handle.invokeExact(x, y, n, threads);
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
        };
    }

    private static String suffix(DType dtype) {
        return switch (dtype) {
            case F32 -> "_f32";
            case F64 -> "_f64";
            default -> throw new IllegalArgumentException("dtype is " + dtype + "; expected F32 or F64");
        };
    }

    private MethodHandle bind(String name, FunctionDescriptor type) {
        return Linker.nativeLinker().downcallHandle(library.findOrThrow(name), type);
    }

    /** A loop over two arrays given by address. */
    interface Loop {
        void run(double a, long x, long y, long n, int threads);
    }

    /** A dot product of two arrays given by address. */
    interface Dot {
        double run(long x, long y, long n, int threads);
    }
}

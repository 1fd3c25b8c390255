package io.penstock.kernel;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.penstock.kernel.c.KernelSource;
import io.penstock.kernel.c.Variant;
import io.penstock.kernel.ir.KernelCode;
import io.penstock.kernel.ir.Parameter;
import java.io.File;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.SymbolLookup;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/** Kernels as OpenCL C, compiled by a C compiler for this machine and run with one thread: a device that is always there. */
final class CProgram implements AutoCloseable {
    private static final String SHIM = """
            #include <tgmath.h>
            #include <string.h>
            #define __kernel
            #define __global
            typedef unsigned int uint; typedef unsigned long ulong;
            static inline int as_int(float v) { int b; memcpy(&b, &v, 4); return b; }
            static inline float as_float(int v) { float b; memcpy(&b, &v, 4); return b; }
            static inline long as_long(double v) { long b; memcpy(&b, &v, 8); return b; }
            static inline double as_double(long v) { double b; memcpy(&b, &v, 8); return b; }
            static inline int atomic_cmpxchg(int *p, int old, int now) { return __sync_val_compare_and_swap(p, old, now); }
            #define __local
            static inline int atomic_add(int *p, int v) { return __sync_fetch_and_add(p, v); }
            static inline int atomic_and(int *p, int v) { return __sync_fetch_and_and(p, v); }
            static inline int atomic_or(int *p, int v) { return __sync_fetch_and_or(p, v); }
            static inline int atomic_xor(int *p, int v) { return __sync_fetch_and_xor(p, v); }
            static inline int atomic_xchg(int *p, int v) { int old = *p; *p = v; return old; }
            static inline int atomic_min(int *p, int v) { int old = *p; if (v < old) *p = v; return old; }
            static inline int atomic_max(int *p, int v) { int old = *p; if (v > old) *p = v; return old; }
            static inline long atom_add(long *p, long v) { return __sync_fetch_and_add(p, v); }
            static inline long atom_and(long *p, long v) { return __sync_fetch_and_and(p, v); }
            static inline long atom_or(long *p, long v) { return __sync_fetch_and_or(p, v); }
            static inline long atom_xor(long *p, long v) { return __sync_fetch_and_xor(p, v); }
            static inline long atom_xchg(long *p, long v) { long old = *p; *p = v; return old; }
            static inline long atom_min(long *p, long v) { long old = *p; if (v < old) *p = v; return old; }
            static inline long atom_max(long *p, long v) { long old = *p; if (v > old) *p = v; return old; }
            static inline long atom_cmpxchg(long *p, long old, long now) { return __sync_val_compare_and_swap(p, old, now); }
            long overflows;
            void __ubsan_handle_add_overflow(void *place, void *a, void *b) { overflows++; }
            void __ubsan_handle_sub_overflow(void *place, void *a, void *b) { overflows++; }
            void __ubsan_handle_mul_overflow(void *place, void *a, void *b) { overflows++; }
            void __ubsan_handle_negate_overflow(void *place, void *a) { overflows++; }
            void __ubsan_handle_divrem_overflow(void *place, void *a, void *b) { overflows++; }
            void __ubsan_handle_shift_out_of_bounds(void *place, void *a, void *b) { overflows++; }
            static inline long get_local_id(int d) { return 0; }
            static inline long get_group_id(int d) { return 0; }
            static inline long get_local_size(int d) { return 1; }
            static inline long get_num_groups(int d) { return 1; }
            """;
    private static final StructLayout SHAPE =
            MemoryLayout.structLayout(MemoryLayout.sequenceLayout(11, JAVA_LONG).withName("numbers"));
    private static final StructLayout NARROW_SHAPE = MemoryLayout.structLayout(
            JAVA_LONG.withName("offset"),
            MemoryLayout.sequenceLayout(10, JAVA_INT).withName("numbers"));
    private static final StructLayout SIZES =
            MemoryLayout.structLayout(MemoryLayout.sequenceLayout(9, JAVA_LONG).withName("numbers"));
    /** The bytes of a failure record. */
    private static final int FAILURE = 64;

    /** What launches are numbered by. */
    static final int LAUNCH = 7;

    private final Arena arena = Arena.ofConfined();
    private final SymbolLookup library;

    private CProgram(Path file) {
        library = SymbolLookup.libraryLookup(file, arena);
    }

    static boolean hasCompiler() {
        return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "gcc")));
    }

    /** Compiles kernels, after a change to their text. */
    static CProgram compile(Path folder, List<KernelSource> sources, UnaryOperator<String> change)
            throws IOException, InterruptedException {
        Path source = Files.createTempFile(folder, "kernels", ".c");
        Path library = folder.resolve(source.getFileName() + ".so");
        Files.writeString(source, SHIM + change.apply(KernelSource.program(sources)));
        Process compiler = new ProcessBuilder(
                        "gcc",
                        "-std=gnu11",
                        "-O0",
                        "-w",
                        "-ffp-contract=off",
                        "-fno-strict-aliasing",
                        "-fsanitize=signed-integer-overflow,integer-divide-by-zero,shift",
                        "-shared",
                        "-fPIC",
                        "-o",
                        library.toString(),
                        source.toString(),
                        "-lm")
                .redirectErrorStream(true)
                .start();
        String complaints = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (compiler.waitFor() != 0) throw new IllegalStateException(complaints);
        return new CProgram(library);
    }

    /** How often integer arithmetic was done until now whose result C leaves undefined. */
    long overflows() {
        return library.findOrThrow("overflows").reinterpret(Long.BYTES).get(JAVA_LONG, 0);
    }

    /** Runs a kernel; the failure record, all zeros if no item failed. */
    long[] run(KernelSource source, KernelCode code, Variant variant, Object[] values, Range range) {
        try (Arena call = Arena.ofConfined()) {
            MemorySegment failure = call.allocate(FAILURE, 8);
            List<MemoryLayout> layouts = new ArrayList<>(List.of(SIZES, ADDRESS, JAVA_INT));
            List<Object> arguments = new ArrayList<>(List.of(ArgumentBytes.sizes(call, range), failure, LAUNCH));
            int next = 0;
            for (Parameter parameter : code.parameters()) {
                Object value = values[parameter.index()];
                if (value instanceof ElementView view) {
                    boolean narrow = variant.views().get(next++).narrow();
                    layouts.addAll(List.of(ADDRESS, narrow ? NARROW_SHAPE : SHAPE));
                    arguments.add(MemorySegment.ofAddress(
                            view.buffer().address() - view.buffer().offset()));
                    arguments.add(ArgumentBytes.shape(call, view, narrow));
                } else {
                    layouts.add(
                            switch (parameter.type()) {
                                case INT -> JAVA_INT;
                                case LONG -> JAVA_LONG;
                                case FLOAT -> JAVA_FLOAT;
                                default -> JAVA_DOUBLE;
                            });
                    arguments.add(Interpreter.scalar(value));
                }
            }
            Linker.nativeLinker()
                    .downcallHandle(
                            library.findOrThrow(source.entry()),
                            FunctionDescriptor.ofVoid(layouts.toArray(MemoryLayout[]::new)))
                    .invokeWithArguments(arguments);
            long[] record = new long[FAILURE / 8];
            for (int k = 0; k < record.length; k++) record[k] = failure.getAtIndex(JAVA_LONG, k);
            return record;
        } catch (Throwable e) {
            throw new IllegalStateException("the program cannot be called", e);
        }
    }

    @Override
    public void close() {
        arena.close();
    }
}

package io.penstock.kernel;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.penstock.kernel.c.KernelSource;
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
import java.util.Objects;
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
            static inline long get_global_id(int d) { return 0; }
            static inline long get_global_size(int d) { return 1; }
            """;
    private static final StructLayout SHAPE = MemoryLayout.structLayout(
            MemoryLayout.sequenceLayout(3, JAVA_LONG).withName("extent"),
            MemoryLayout.sequenceLayout(3, JAVA_LONG).withName("stride"),
            JAVA_LONG.withName("length"),
            JAVA_LONG.withName("flat"),
            JAVA_LONG.withName("flatStride"),
            JAVA_LONG.withName("dimensions"));
    private static final StructLayout SIZES =
            MemoryLayout.structLayout(JAVA_LONG.withName("x"), JAVA_LONG.withName("y"), JAVA_LONG.withName("z"));
    /** The bytes of a failure record. */
    private static final int FAILURE = 56;

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
        StringBuilder all = new StringBuilder();
        for (int k = 0; k < sources.size(); k++) {
            String text = sources.get(k).text();
            int common = text.indexOf("INLINE void item(");
            if (k == 0) all.append(text, 0, common);
            all.append(text.substring(common).replace("item(", "item" + k + "("));
        }
        Path source = Files.createTempFile(folder, "kernels", ".c");
        Path library = folder.resolve(source.getFileName() + ".so");
        Files.writeString(source, SHIM + change.apply(all.toString()));
        Process compiler = new ProcessBuilder(
                        "gcc",
                        "-std=gnu11",
                        "-O0",
                        "-w",
                        "-ffp-contract=off",
                        "-fno-strict-aliasing",
                        "-fwrapv",
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

    /** Runs a kernel; the failure record, all zeros if no item failed. */
    long[] run(KernelSource source, KernelCode code, Object[] values, Range range) {
        try (Arena call = Arena.ofConfined()) {
            MemorySegment failure = call.allocate(FAILURE, 8);
            MemorySegment sizes = call.allocate(SIZES);
            sizes.setAtIndex(JAVA_LONG, 0, range.x());
            sizes.setAtIndex(JAVA_LONG, 1, range.y());
            sizes.setAtIndex(JAVA_LONG, 2, range.z());
            List<MemoryLayout> layouts = new ArrayList<>(List.of(SIZES, ADDRESS));
            List<Object> arguments = new ArrayList<>(List.of(sizes, failure));
            for (Parameter parameter : code.parameters()) {
                Object value = values[parameter.index()];
                if (value instanceof ElementView view) {
                    layouts.addAll(List.of(ADDRESS, SHAPE));
                    arguments.add(MemorySegment.ofAddress(view.buffer().address()));
                    arguments.add(shape(call, view));
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

    private static MemorySegment shape(Arena arena, ElementView view) {
        MemorySegment shape = arena.allocate(SHAPE);
        int rank = view.dimensions();
        @SuppressWarnings("unchecked")
        List<Long> strides = (List<Long>) view.layout().get(1);
        for (int k = 0; k < 3; k++) {
            shape.setAtIndex(JAVA_LONG, k, k < rank ? view.extent(rank - 1 - k) : 1);
            shape.setAtIndex(JAVA_LONG, 3 + k, k < rank ? strides.get(rank - 1 - k) : 0);
        }
        long[] flat = view.extents(1);
        shape.setAtIndex(JAVA_LONG, 6, view.length());
        shape.setAtIndex(JAVA_LONG, 7, flat == null ? 0 : Objects.requireNonNull(flat)[0]);
        shape.setAtIndex(JAVA_LONG, 8, rank == 1 ? strides.getFirst() : 1);
        shape.setAtIndex(JAVA_LONG, 9, rank);
        return shape;
    }

    @Override
    public void close() {
        arena.close();
    }
}

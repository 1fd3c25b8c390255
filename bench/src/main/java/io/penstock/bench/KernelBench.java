package io.penstock.bench;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.kernel.Floats;
import io.penstock.kernel.Ints;
import io.penstock.kernel.Kernel;
import io.penstock.runtime.Scope;
import io.penstock.runtime.jvm.JvmDevice;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Collections;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Kernels on the JVM against C and against plain Java loops over the same views, on one thread. */
@Command(
        name = "kernels",
        description = "Compiled kernels on one core of the JVM against C and plain Java loops.",
        mixinStandardHelpOptions = true)
final class KernelBench implements Runnable {
    /** What the JVM takes, at most, to compile a kernel's vectors while its launches go on. */
    private static final double WARM_UP_SECONDS = 5;

    @Option(names = "--pairs", defaultValue = "31", description = "Timed pairs a row (default ${DEFAULT-VALUE}).")
    private int pairs;

    @Option(
            names = "--sizes",
            split = ",",
            defaultValue = "10000,10000000",
            description = "Elements an array (default ${DEFAULT-VALUE}).")
    private List<Long> sizes = List.of();

    @Option(names = "--only", description = "Runs the cases whose names contain this.")
    private String only = "";

    @Override
    public void run() {
        SymbolLookup library = Peer.library("kernels.c").orElse(null);
        if (library == null) {
            System.out.println("no C compiler was found (cc, gcc, clang); install one to compare with C");
            return;
        }
        System.out.println(Ratio.header("peer"));
        JvmDevice.instance().sharing(JvmDevice.instance().threads(), () -> {
            for (long n : sizes)
                try (Scope _ = Scope.open()) {
                    lines(library, n);
                    grids(library, n);
                }
        });
    }

    private void lines(SymbolLookup library, long n) {
        Floats[] a = new Floats[6];
        for (int k = 0; k < a.length; k++) a[k] = floats(k, n);
        MethodHandle axpy = bind(library, "axpy", 2, JAVA_LONG);
        report(
                "axpy",
                n,
                Kernel.of(BenchKernels::axpy).over(n).prepare(a[0], a[1], 1e-9f)::launch,
                () -> BenchKernels.axpyLoop(a[0], a[1], 1e-9f),
                () -> call(() -> {
                    axpy.invokeExact(at(a[0]), at(a[1]), n);
                }));
        MethodHandle copy = bind(library, "copy", 2, JAVA_LONG);
        report(
                "copy",
                n,
                Kernel.of(BenchKernels::copy).over(n).prepare(a[0], a[1])::launch,
                () -> BenchKernels.copyLoop(a[0], a[1]),
                () -> call(() -> {
                    copy.invokeExact(at(a[0]), at(a[1]), n);
                }));
        MethodHandle stencil = bind(library, "stencil3", 2, JAVA_LONG);
        report(
                "3-point stencil",
                n,
                Kernel.of(BenchKernels::stencil3).over(n).prepare(a[0], a[1])::launch,
                () -> BenchKernels.stencil3Loop(a[0], a[1]),
                () -> call(() -> {
                    stencil.invokeExact(at(a[0]), at(a[1]), n);
                }));
        dot(library, n);
        MethodHandle map = bind(library, "map5", 6, JAVA_LONG);
        report(
                "map of five",
                n,
                Kernel.of(BenchKernels::map5).over(n).prepare(a[0], a[1], a[2], a[3], a[4], a[5])::launch,
                () -> BenchKernels.map5Loop(a[0], a[1], a[2], a[3], a[4], a[5]),
                () -> call(() -> {
                    map.invokeExact(at(a[0]), at(a[1]), at(a[2]), at(a[3]), at(a[4]), at(a[5]), n);
                }));
    }

    private void dot(SymbolLookup library, long n) {
        NDArray x = NDArray.random(1, DType.F32, n);
        NDArray y = NDArray.random(2, DType.F32, n);
        Floats fx = (Floats) x.elements();
        Floats fy = (Floats) y.elements();
        MethodHandle dot = Linker.nativeLinker()
                .downcallHandle(
                        library.findOrThrow("dot"), FunctionDescriptor.of(JAVA_FLOAT, ADDRESS, ADDRESS, JAVA_LONG));
        double[] sink = new double[1];
        report(
                "dot",
                n,
                () -> sink[0] += x.localDot(y).re(),
                () -> sink[0] += BenchKernels.dotLoop(fx, fy),
                () -> call(() -> {
                    sink[0] += (float) dot.invokeExact(at(fx), at(fy), n);
                }));
        if (Double.isNaN(sink[0])) throw new IllegalStateException("dot gave NaN");
    }

    private void grids(SymbolLookup library, long n) {
        long edge = Math.round(Math.cbrt((double) n));
        Floats y = floats(1, edge, edge, edge);
        Floats x = floats(2, edge, edge, edge);
        MethodHandle stencil = bind(library, "stencil7", 2, JAVA_LONG);
        report(
                "7-point stencil",
                edge * edge * edge,
                Kernel.of(BenchKernels::stencil7).over(edge, edge, edge).prepare(y, x)::launch,
                () -> BenchKernels.stencil7Loop(y, x),
                () -> call(() -> {
                    stencil.invokeExact(at(y), at(x), edge);
                }));
        // More pixels would say nothing else and take minutes.
        long side = Math.min(400, Math.round(Math.sqrt((double) n)));
        float scale = 2f / side;
        Ints out = (Ints) NDArray.zeros(DType.I32, side, side).elements();
        MethodHandle mandelbrot = bind(library, "mandelbrot", 1, JAVA_LONG, JAVA_FLOAT, JAVA_INT);
        report(
                "Mandelbrot",
                side * side,
                Kernel.of(BenchKernels::mandelbrot).over(side, side).prepare(out, scale, 200)::launch,
                () -> BenchKernels.mandelbrotLoop(out, scale, 200),
                () -> call(() -> {
                    mandelbrot.invokeExact(at(out), side, scale, 200);
                }));
    }

    private static Floats floats(long seed, long... shape) {
        return (Floats) NDArray.random(seed, DType.F32, shape).elements();
    }

    private static MemorySegment at(io.penstock.kernel.ElementView view) {
        return MemorySegment.ofAddress(view.buffer().address());
    }

    private static MethodHandle bind(SymbolLookup library, String name, int arrays, MemoryLayout... numbers) {
        List<MemoryLayout> types = new java.util.ArrayList<>(Collections.nCopies(arrays, ADDRESS));
        types.addAll(List.of(numbers));
        return Linker.nativeLinker()
                .downcallHandle(
                        library.findOrThrow(name), FunctionDescriptor.ofVoid(types.toArray(MemoryLayout[]::new)));
    }

    private interface Call {
        void run() throws Throwable;
    }

    private static void call(Call call) {
        try {
            call.run();
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private void report(String what, long n, Runnable kernel, Runnable java, Runnable c) {
        if (!what.contains(only)) return;
        // Of the time that this thread has had, which on a busy machine is less than what goes by.
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long end = threads.getCurrentThreadCpuTime() + (long) (WARM_UP_SECONDS * 1e9);
        do kernel.run();
        while (threads.getCurrentThreadCpuTime() < end);
        System.out.println(Ratio.of(kernel, c, pairs).row(what + " n=" + n + " against C"));
        System.out.println(Ratio.of(kernel, java, pairs).row(what + " n=" + n + " against Java"));
    }
}

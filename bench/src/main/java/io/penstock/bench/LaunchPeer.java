package io.penstock.bench;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.penstock.foreign.Cuda;
import io.penstock.runtime.cuda.CudaDevice;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Collections;
import java.util.List;

/** Bare calls of the CUDA driver in a C loop: {@code launch.c}, in the same process and context as what is held against it. */
final class LaunchPeer {
    private final MethodHandle launches;
    private final MethodHandle exchanges;
    private final SymbolLookup driver;
    private final long kernel;
    private final MemorySegment parameters;
    private final MemorySegment pairs = Arena.global().allocate(32, 8);

    private LaunchPeer(SymbolLookup library, SymbolLookup driver, long kernel, MemorySegment parameters, Cuda calls) {
        this.launches = bind(library, "launches", 5);
        this.exchanges = bind(library, "exchanges", 8);
        this.driver = driver;
        this.kernel = kernel;
        this.parameters = parameters;
        for (int k = 0; k < 2; k++) check(calls.eventCreate(pairs.address() + 16 + 8L * k, 2));
    }

    private static MethodHandle bind(SymbolLookup library, String name, int arguments) {
        ValueLayout[] longs = Collections.nCopies(arguments, JAVA_LONG).toArray(ValueLayout[]::new);
        return Linker.nativeLinker()
                .downcallHandle(library.findOrThrow(name), FunctionDescriptor.of(JAVA_DOUBLE, longs));
    }

    private static void check(int code) {
        if (code != 0) throw new IllegalStateException("the peer's call of the CUDA driver failed with error " + code);
    }

    /** A peer that launches a kernel {@code add} of a binary with some arguments of eight bytes each. */
    static LaunchPeer of(CudaDevice device, byte[] binary, List<Long> arguments) {
        SymbolLookup library = Peer.library("launch.c")
                .orElseThrow(() -> new IllegalStateException("no C compiler to build the peer with"));
        Arena arena = Arena.global();
        Cuda calls = Cuda.load(device.driverFile());
        SymbolLookup driver = SymbolLookup.libraryLookup(device.driverFile(), arena);
        MemorySegment cell = arena.allocate(JAVA_LONG);
        MemorySegment image = arena.allocate(binary.length + 8L, 8);
        MemorySegment.copy(binary, 0, image, ValueLayout.JAVA_BYTE, 0, binary.length);
        check(calls.moduleLoadDataEx(cell.address(), image.address(), 0, 0, 0));
        long module = cell.get(JAVA_LONG, 0);
        check(calls.moduleGetFunction(
                cell.address(), module, arena.allocateFrom("add").address()));
        MemorySegment values = arena.allocate(8L * arguments.size(), 8);
        MemorySegment parameters = arena.allocate(8L * arguments.size(), 8);
        for (int k = 0; k < arguments.size(); k++) {
            values.setAtIndex(JAVA_LONG, k, arguments.get(k));
            parameters.setAtIndex(JAVA_LONG, k, values.address() + 8L * k);
        }
        return new LaunchPeer(library, driver, cell.get(JAVA_LONG, 0), parameters, calls);
    }

    private long address(String symbol) {
        return driver.findOrThrow(symbol).address();
    }

    /** Nanoseconds for one of some launches on a stream. */
    double launches(long stream, int count) {
        try {
            return (double)
                    launches.invokeExact(address("cuLaunchKernel"), kernel, stream, parameters.address(), (long) count);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** Nanoseconds for one of some launches, each of which follows the one before it on the other stream. */
    double exchanges(long one, long two, int count) {
        pairs.setAtIndex(JAVA_LONG, 0, one);
        pairs.setAtIndex(JAVA_LONG, 1, two);
        try {
            return (double) exchanges.invokeExact(
                    address("cuLaunchKernel"),
                    address("cuEventRecord"),
                    address("cuStreamWaitEvent"),
                    kernel,
                    pairs.address(),
                    pairs.address() + 16,
                    parameters.address(),
                    (long) count);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}

package io.penstock.foreign;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;

/** NVIDIA's library by which a program names stretches of its time for a profiler: functions by their C names without the prefix. */
public final class Nvtx {
    private final String file;
    private final MemorySegment rangePush;
    private final MemorySegment rangePop;

    private Nvtx(String file, SymbolLookup symbols) {
        this.file = file;
        this.rangePush = symbol(file, symbols, "nvtxRangePushA");
        this.rangePop = symbol(file, symbols, "nvtxRangePop");
    }

    private static MemorySegment symbol(String file, SymbolLookup symbols, String name) {
        return symbols.find(name)
                .orElseThrow(() -> new IllegalArgumentException(file + " is no NVTX: it has no " + name));
    }

    /**
     * Loads the library, which stays loaded for as long as the process lives.
     *
     * @param file its file name, searched for as the system does, or its path
     * @throws IllegalArgumentException when it cannot be loaded, with the loader's reason, or is no such library
     */
    public static Nvtx load(String file) {
        String reason = Loader.dlopen(file, Loader.RTLD_LAZY);
        if (!reason.isEmpty()) throw new IllegalArgumentException(reason);
        return new Nvtx(file, SymbolLookup.libraryLookup(file, Arena.global()));
    }

    /** What the library was loaded as. */
    public String file() {
        return file;
    }

    /**
     * Begins a stretch of the calling thread's time.
     *
     * @param message the address of its name, a string that ends in zero
     * @return how many stretches are around it; negative when nobody listens
     */
    public int rangePush(long message) {
        return LongCalls.call(rangePush, message);
    }

    /**
     * Ends the calling thread's innermost stretch.
     *
     * @return how many stretches were around it; negative when nobody listens
     */
    public int rangePop() {
        return LongCalls.call(rangePop);
    }
}

package io.penstock.foreign;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import org.jspecify.annotations.Nullable;

/**
 * NVIDIA's compiler of CUDA C at run time: its functions by their C names without the prefix, arguments in C's order, all of them
 * longs. All return the library's error code, zero when they succeed.
 */
@SuppressWarnings("EnumOrdinal") // the same form as the other libraries of its kind
public final class Nvrtc {
    /** A program has errors, which its log tells. */
    public static final int NVRTC_ERROR_COMPILATION = 6;

    /** The functions, with their symbols. */
    enum Function {
        VERSION("nvrtcVersion"),
        CREATE_PROGRAM("nvrtcCreateProgram"),
        DESTROY_PROGRAM("nvrtcDestroyProgram"),
        COMPILE_PROGRAM("nvrtcCompileProgram"),
        GET_CUBIN_SIZE("nvrtcGetCUBINSize"),
        GET_CUBIN("nvrtcGetCUBIN"),
        GET_PTX_SIZE("nvrtcGetPTXSize"),
        GET_PTX("nvrtcGetPTX"),
        GET_PROGRAM_LOG_SIZE("nvrtcGetProgramLogSize"),
        GET_PROGRAM_LOG("nvrtcGetProgramLog");

        final String symbol;

        Function(String symbol) {
            this.symbol = symbol;
        }
    }

    private final String file;
    private final @Nullable MemorySegment[] addresses = new MemorySegment[Function.values().length];

    private Nvrtc(String file, SymbolLookup symbols) {
        this.file = file;
        for (Function function : Function.values())
            addresses[function.ordinal()] = symbols.find(function.symbol).orElse(null);
    }

    /**
     * Loads the compiler, which stays loaded for as long as the process lives.
     *
     * @param file its file name, searched for as the system does, or its path
     * @throws IllegalArgumentException when it cannot be loaded, with the loader's reason, or is no such compiler
     */
    public static Nvrtc load(String file) {
        String reason = Loader.dlopen(file, Loader.RTLD_LAZY);
        if (!reason.isEmpty()) throw new IllegalArgumentException(reason);
        SymbolLookup symbols = SymbolLookup.libraryLookup(file, Arena.global());
        if (symbols.find("nvrtcCompileProgram").isEmpty())
            throw new IllegalArgumentException(file + " is no NVRTC: it has no nvrtcCompileProgram");
        return new Nvrtc(file, symbols);
    }

    /** What the compiler was loaded as. */
    public String file() {
        return file;
    }

    private MemorySegment address(Function function) {
        MemorySegment address = addresses[function.ordinal()];
        if (address == null)
            throw new UnsupportedOperationException(file + " has no " + function.symbol + "; a newer NVRTC is needed");
        return address;
    }

    /** Writes the version, as two ints. */
    public int version(long major, long minor) {
        return LongCalls.call(address(Function.VERSION), major, minor);
    }

    /** Makes a program of a source, a string that ends in zero, with headers of which each has a name. */
    public int createProgram(long prog, long src, long name, long numHeaders, long headers, long includeNames) {
        return LongCalls.call(address(Function.CREATE_PROGRAM), prog, src, name, numHeaders, headers, includeNames);
    }

    /** Ends the program whose handle lies at an address. */
    public int destroyProgram(long prog) {
        return LongCalls.call(address(Function.DESTROY_PROGRAM), prog);
    }

    /** Compiles a program, with options given as addresses of strings. */
    public int compileProgram(long prog, long numOptions, long options) {
        return LongCalls.call(address(Function.COMPILE_PROGRAM), prog, numOptions, options);
    }

    /** Writes how long the program's binary is; zero when it was compiled for a virtual architecture. */
    public int getCUBINSize(long prog, long cubinSizeRet) {
        return LongCalls.call(address(Function.GET_CUBIN_SIZE), prog, cubinSizeRet);
    }

    /** Writes the program's binary. */
    public int getCUBIN(long prog, long cubin) {
        return LongCalls.call(address(Function.GET_CUBIN), prog, cubin);
    }

    /** Writes how long the program's PTX is, its final zero included. */
    public int getPTXSize(long prog, long ptxSizeRet) {
        return LongCalls.call(address(Function.GET_PTX_SIZE), prog, ptxSizeRet);
    }

    /** Writes the program's PTX. */
    public int getPTX(long prog, long ptx) {
        return LongCalls.call(address(Function.GET_PTX), prog, ptx);
    }

    /** Writes how long the compiler's remarks are, their final zero included. */
    public int getProgramLogSize(long prog, long logSizeRet) {
        return LongCalls.call(address(Function.GET_PROGRAM_LOG_SIZE), prog, logSizeRet);
    }

    /** Writes the compiler's remarks. */
    public int getProgramLog(long prog, long log) {
        return LongCalls.call(address(Function.GET_PROGRAM_LOG), prog, log);
    }
}

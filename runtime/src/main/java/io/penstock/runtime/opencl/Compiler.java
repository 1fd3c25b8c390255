package io.penstock.runtime.opencl;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.penstock.foreign.OpenCl;
import io.penstock.runtime.DeviceCode;
import io.penstock.runtime.DeviceCompilationException;
import io.penstock.runtime.DeviceProgram;
import io.penstock.runtime.JvmSignals;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;

/** The driver's compiler of OpenCL C, for one device. */
final class Compiler implements DeviceCode {
    private final OpenClDevice device;
    private final Context context;
    private final OpenCl cl;
    private final DeviceFacts facts;

    /** Of this device alone: of a context of several devices, not every driver finds the binary for the second one. */
    private final Context alone;

    Compiler(OpenClDevice device, Context context, DeviceFacts facts) {
        this.device = device;
        this.context = context;
        this.cl = context.cl();
        this.facts = facts;
        this.alone = new Context(context.platform(), new long[] {facts.id()});
    }

    @Override
    public Language language() {
        return Language.OPENCL;
    }

    @Override
    public String identity() {
        return String.join(
                "; ",
                context.platform().name(),
                context.platform().version(),
                facts.name(),
                facts.version(),
                facts.driver());
    }

    @Override
    public int mostGroupItems() {
        return facts.groupItems();
    }

    @Override
    public long mostGroupBytes() {
        return facts.groupBytes();
    }

    @Override
    public int processors() {
        return facts.units();
    }

    @Override
    public byte[] compile(String source, List<String> options) {
        long program = built(alone, source, options);
        try (Arena arena = Arena.ofConfined()) {
            return binary(program, arena);
        } finally {
            cl.releaseProgram(program);
        }
    }

    /** Without a binary: for one, PoCL compiles each entry for groups of any size, and at its first launch once more. */
    @Override
    public DeviceProgram build(String source, List<String> options) {
        return new Program(device, context, facts, built(context, source, options));
    }

    @Override
    public DeviceProgram load(byte[] binary) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocateFrom(java.lang.foreign.ValueLayout.JAVA_BYTE, binary);
            MemorySegment codes = arena.allocate(JAVA_INT, 2);
            long program = cl.createProgramWithBinary(
                    context.handle(),
                    1,
                    arena.allocateFrom(JAVA_LONG, facts.id()).address(),
                    arena.allocateFrom(JAVA_LONG, binary.length).address(),
                    arena.allocateFrom(JAVA_LONG, bytes.address()).address(),
                    codes.address() + Integer.BYTES,
                    codes.address());
            if (codes.get(JAVA_INT, 0) != OpenCl.CL_SUCCESS)
                throw new DeviceCompilationException(device + " does not take a program of " + binary.length
                        + " bytes: " + OpenCl.errorName(codes.get(JAVA_INT, 0)) + ", from " + identity());
            return new Program(device, context, facts, built(program, ""));
        }
    }

    /** A program of the driver's for this device. */
    private long built(Context in, String source, List<String> options) {
        Objects.requireNonNull(source, "source is null");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocateFrom(source);
            MemorySegment error = arena.allocate(JAVA_INT);
            long program = cl.createProgramWithSource(
                    in.handle(),
                    1,
                    arena.allocateFrom(JAVA_LONG, text.address()).address(),
                    0,
                    error.address());
            OpenClException.check(error.get(JAVA_INT, 0), "clCreateProgramWithSource");
            return built(program, String.join(" ", options));
        }
    }

    private long built(long program, String options) {
        try {
            build(program, options);
            return program;
        } catch (RuntimeException e) {
            cl.releaseProgram(program);
            throw e;
        }
    }

    /** Builds a program. PoCL's compiler would take the JVM's signals when it first runs, as if it were a program of its own. */
    private void build(long program, String options) {
        int error;
        JvmSignals signals = JvmSignals.recordAll();
        try (Arena arena = Arena.ofConfined()) {
            error = cl.buildProgram(
                    program,
                    1,
                    arena.allocateFrom(JAVA_LONG, facts.id()).address(),
                    arena.allocateFrom(options).address(),
                    0,
                    0);
        } finally {
            signals.restore("an OpenCL compiler");
        }
        if (error != OpenCl.CL_SUCCESS)
            throw new DeviceCompilationException("the OpenCL compiler for " + device + " (" + identity() + ") says "
                    + OpenCl.errorName(error) + ":\n" + log(program));
    }

    private String log(long program) {
        return Platform.text(
                "clGetProgramBuildInfo",
                (bytes, answer, size) ->
                        cl.getProgramBuildInfo(program, facts.id(), OpenCl.CL_PROGRAM_BUILD_LOG, bytes, answer, size));
    }

    private byte[] binary(long program, Arena arena) {
        long bytes = Platform.number(
                "clGetProgramInfo",
                (room, answer, size) -> cl.getProgramInfo(program, OpenCl.CL_PROGRAM_BINARY_SIZES, room, answer, size));
        MemorySegment binary = arena.allocate(Math.max(1, bytes));
        OpenClException.check(
                cl.getProgramInfo(
                        program,
                        OpenCl.CL_PROGRAM_BINARIES,
                        Long.BYTES,
                        arena.allocateFrom(JAVA_LONG, binary.address()).address(),
                        0),
                "clGetProgramInfo");
        return binary.asSlice(0, bytes).toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
    }
}

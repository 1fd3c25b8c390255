package io.penstock.runtime;

import java.util.List;

/**
 * A device's own compiler, and the loader of what it has compiled.
 *
 * <p>Programs are text in the language that the device names. An entry's parameters are those of {@link DeviceArgument}. All
 * methods may be called from any thread, and by several at once.
 */
public interface DeviceCode {
    /** What programs are written in. */
    enum Language {
        /** CUDA C++, for NVRTC. */
        CUDA,
        /** OpenCL C 1.2. */
        OPENCL
    }

    /** The language of this device. */
    Language language();

    /**
     * What a compiled program depends on beside its text and options: compiler and version, device and driver. Programs compiled
     * under one identity can be loaded wherever the identity is the same, in other processes too.
     */
    String identity();

    /** The most items that a group can have. */
    int mostGroupItems();

    /** The most bytes of memory that the items of a group can share. */
    long mostGroupBytes();

    /** How many processors the device has, each of which runs groups of its own. */
    int processors();

    /**
     * Compiles a program.
     *
     * @param options what the compiler takes, in the device's own spelling
     * @return a binary for {@link #load}
     * @throws DeviceCompilationException with what the compiler has to say
     */
    byte[] compile(String source, List<String> options);

    /**
     * Loads a compiled program onto the device. It stays loaded while it is reachable.
     *
     * @throws DeviceCompilationException when the binary is not one for this device
     */
    DeviceProgram load(byte[] binary);

    /**
     * Compiles a program and loads it, for one who does not keep it: with some drivers a binary takes as long again.
     *
     * @param options what the compiler takes, in the device's own spelling
     * @throws DeviceCompilationException with what the compiler has to say
     */
    default DeviceProgram build(String source, List<String> options) {
        return load(compile(source, options));
    }
}

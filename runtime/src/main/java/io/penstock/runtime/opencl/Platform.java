package io.penstock.runtime.opencl;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.penstock.foreign.OpenCl;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A driver.
 *
 * @param cl the functions of the loader, which hands calls on to the driver
 * @param id the driver's handle
 * @param name such as {@code NVIDIA CUDA}
 * @param version such as {@code OpenCL 3.0 CUDA 13.0}
 */
record Platform(OpenCl cl, long id, String name, String version) {
    /** One of OpenCL's functions that tell something: they all have this shape. */
    interface Question {
        /** Writes at most {@code bytes} bytes of the answer to {@code answer}, and its size to {@code size}; zero is no place. */
        int ask(long bytes, long answer, long size);
    }

    static Platform of(OpenCl cl, long id) {
        return new Platform(cl, id, text(cl, id, OpenCl.CL_PLATFORM_NAME), text(cl, id, OpenCl.CL_PLATFORM_VERSION));
    }

    private static String text(OpenCl cl, long id, int what) {
        return text("clGetPlatformInfo", (bytes, answer, size) -> cl.getPlatformInfo(id, what, bytes, answer, size));
    }

    /** The answer to a question, all of it. */
    static byte[] bytes(String call, Question question) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment size = arena.allocate(JAVA_LONG);
            OpenClException.check(question.ask(0, 0, size.address()), call);
            MemorySegment answer = arena.allocate(Math.max(1, size.get(JAVA_LONG, 0)));
            OpenClException.check(question.ask(size.get(JAVA_LONG, 0), answer.address(), 0), call);
            return answer.asSlice(0, size.get(JAVA_LONG, 0)).toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
        }
    }

    static String text(String call, Question question) {
        byte[] bytes = bytes(call, question);
        int length = 0;
        while (length < bytes.length && bytes[length] != 0) length++;
        return new String(bytes, 0, length, java.nio.charset.StandardCharsets.UTF_8).strip();
    }

    /** A number of up to eight bytes. */
    static long number(String call, Question question) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment answer = arena.allocate(JAVA_LONG);
            OpenClException.check(question.ask(JAVA_LONG.byteSize(), answer.address(), 0), call);
            return answer.get(JAVA_LONG, 0);
        }
    }

    /** The handles of the driver's devices; empty when it has none. */
    long[] deviceIds() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment count = arena.allocate(JAVA_INT);
            int error = cl.getDeviceIDs(id, OpenCl.CL_DEVICE_TYPE_ALL, 0, 0, count.address());
            if (error == OpenCl.CL_DEVICE_NOT_FOUND || count.get(JAVA_INT, 0) == 0) return new long[0];
            OpenClException.check(error, "clGetDeviceIDs of " + name);
            MemorySegment ids = arena.allocate(JAVA_LONG, count.get(JAVA_INT, 0));
            OpenClException.check(
                    cl.getDeviceIDs(id, OpenCl.CL_DEVICE_TYPE_ALL, count.get(JAVA_INT, 0), ids.address(), 0),
                    "clGetDeviceIDs of " + name);
            return ids.toArray(JAVA_LONG);
        }
    }
}

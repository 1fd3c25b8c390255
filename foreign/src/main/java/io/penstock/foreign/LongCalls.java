package io.penstock.foreign;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Collections;

/**
 * Calls of C functions at any address that return an int and whose arguments are all taken as longs: a callee that wants less
 * reads the low part. There is one constant method handle for each number of arguments, made when first used, since each new
 * shape of call costs milliseconds.
 */
final class LongCalls {
    private static final class Of0 {
        static final MethodHandle HANDLE = handle(0);
    }

    private static final class Of1 {
        static final MethodHandle HANDLE = handle(1);
    }

    private static final class Of2 {
        static final MethodHandle HANDLE = handle(2);
    }

    private static final class Of3 {
        static final MethodHandle HANDLE = handle(3);
    }

    private static final class Of4 {
        static final MethodHandle HANDLE = handle(4);
    }

    private static final class Of5 {
        static final MethodHandle HANDLE = handle(5);
    }

    private static final class Of6 {
        static final MethodHandle HANDLE = handle(6);
    }

    private static final class Of7 {
        static final MethodHandle HANDLE = handle(7);
    }

    private static final class Of8 {
        static final MethodHandle HANDLE = handle(8);
    }

    private static final class Of9 {
        static final MethodHandle HANDLE = handle(9);
    }

    private static final class Of11 {
        static final MethodHandle HANDLE = handle(11);
    }

    private LongCalls() {}

    private static MethodHandle handle(int arguments) {
        ValueLayout[] longs = Collections.nCopies(arguments, JAVA_LONG).toArray(ValueLayout[]::new);
        return Linker.nativeLinker().downcallHandle(FunctionDescriptor.of(JAVA_INT, longs));
    }

    static int call(MemorySegment function) {
        try {
            return (int) Of0.HANDLE.invokeExact(function);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static int call(MemorySegment function, long a) {
        try {
            return (int) Of1.HANDLE.invokeExact(function, a);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static int call(MemorySegment function, long a, long b) {
        try {
            return (int) Of2.HANDLE.invokeExact(function, a, b);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static int call(MemorySegment function, long a, long b, long c) {
        try {
            return (int) Of3.HANDLE.invokeExact(function, a, b, c);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static int call(MemorySegment function, long a, long b, long c, long d) {
        try {
            return (int) Of4.HANDLE.invokeExact(function, a, b, c, d);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static int call(MemorySegment function, long a, long b, long c, long d, long e) {
        try {
            return (int) Of5.HANDLE.invokeExact(function, a, b, c, d, e);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static int call(MemorySegment function, long a, long b, long c, long d, long e, long f) {
        try {
            return (int) Of6.HANDLE.invokeExact(function, a, b, c, d, e, f);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static int call(MemorySegment function, long a, long b, long c, long d, long e, long f, long g) {
        try {
            return (int) Of7.HANDLE.invokeExact(function, a, b, c, d, e, f, g);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static int call(MemorySegment function, long a, long b, long c, long d, long e, long f, long g, long h) {
        try {
            return (int) Of8.HANDLE.invokeExact(function, a, b, c, d, e, f, g, h);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static int call(MemorySegment function, long a, long b, long c, long d, long e, long f, long g, long h, long i) {
        try {
            return (int) Of9.HANDLE.invokeExact(function, a, b, c, d, e, f, g, h, i);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static int call(
            MemorySegment function,
            long a,
            long b,
            long c,
            long d,
            long e,
            long f,
            long g,
            long h,
            long i,
            long j,
            long k) {
        try {
            return (int) Of11.HANDLE.invokeExact(function, a, b, c, d, e, f, g, h, i, j, k);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static IllegalStateException unexpected(Throwable e) {
        return new IllegalStateException("a downcall failed", e);
    }
}

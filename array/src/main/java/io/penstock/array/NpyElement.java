package io.penstock.array;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * How a .npy file stores an element.
 *
 * @param kind b, i, u, f or c for truth values, signed and unsigned whole numbers, floating-point and complex numbers
 * @param bytes how many bytes an element takes
 * @param big whether the most significant byte comes first
 * @param dtype the type it becomes: its own, or the next wider one that arrays have
 */
record NpyElement(char kind, int bytes, boolean big, DType dtype) {
    static final String KNOWN = "b1, i1, i2, i4, i8, u1, u2, u4, f2, f4, f8, c8 or c16 after '<', '>', '|' or '='";

    /** The element that a type string names, or null. */
    static @Nullable NpyElement parse(String descr) {
        if (descr.length() < 3) return null;
        int order = "<>|=".indexOf(descr.charAt(0));
        DType dtype = switch (descr.substring(1)) {
            case "b1", "u1" -> DType.U8;
            case "i1", "i2", "u2", "i4" -> DType.I32;
            case "u4", "i8" -> DType.I64;
            case "f2", "f4" -> DType.F32;
            case "f8" -> DType.F64;
            case "c8" -> DType.C64;
            case "c16" -> DType.C128;
            default -> null;
        };
        if (order < 0 || dtype == null) return null;
        return new NpyElement(descr.charAt(1), Integer.parseInt(descr, 2, descr.length(), 10), order == 1, dtype);
    }

    /** The type string under which an array is written. */
    static String describe(DType dtype) {
        return switch (dtype) {
            case U8 -> "|u1";
            case I32 -> "<i4";
            case I64 -> "<i8";
            case F32 -> "<f4";
            case F64 -> "<f8";
            case C64 -> "<c8";
            case C128 -> "<c16";
        };
    }

    /** Bytes of the smallest unit that has a byte order. */
    private int unit() {
        return kind == 'c' ? bytes / 2 : bytes;
    }

    /** Turns {@code count} stored elements into array elements at {@code target}. */
    void decode(byte[] stored, int count, MemorySegment target, long at) {
        int units = count * (bytes / unit());
        if (big && unit() > 1) reverse(stored, units);
        if (bytes == dtype.bytes() && kind != 'b') {
            MemorySegment.copy(stored, 0, target, ValueLayout.JAVA_BYTE, at, count * bytes);
            return;
        }
        MemorySegment source = MemorySegment.ofArray(stored);
        for (int i = 0; i < count; i++) {
            long to = at + (long) i * dtype.bytes();
            switch (dtype) {
                case U8 -> target.set(ValueLayout.JAVA_BYTE, to, (byte) (stored[i] == 0 ? 0 : 1));
                case I32 -> target.set(ValueLayout.JAVA_INT_UNALIGNED, to, narrow(source, i));
                case I64 ->
                    target.set(
                            ValueLayout.JAVA_LONG_UNALIGNED,
                            to,
                            Integer.toUnsignedLong(source.get(LITTLE_INT, 4L * i)));
                default ->
                    target.set(
                            ValueLayout.JAVA_FLOAT_UNALIGNED,
                            to,
                            Float.float16ToFloat(source.get(LITTLE_SHORT, 2L * i)));
            }
        }
    }

    private static final ValueLayout.OfInt LITTLE_INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfShort LITTLE_SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private int narrow(MemorySegment source, int i) {
        if (bytes == 1) return source.get(ValueLayout.JAVA_BYTE, i);
        short value = source.get(LITTLE_SHORT, 2L * i);
        return kind == 'u' ? Short.toUnsignedInt(value) : value;
    }

    private void reverse(byte[] stored, int units) {
        int unit = unit();
        for (int i = 0; i < units * unit; i += unit)
            for (int a = i, b = i + unit - 1; a < b; a++, b--) {
                byte swap = stored[a];
                stored[a] = stored[b];
                stored[b] = swap;
            }
    }
}

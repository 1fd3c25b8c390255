package io.penstock.kernel.ir;

import org.jspecify.annotations.Nullable;

/** What the elements of a view are, and how a kernel sees them. */
public enum Element {
    /** Signed bytes, which kernels see as {@code INT}. */
    BYTE("Bytes", ValueType.INT, 1, 1),
    /** 32-bit integers. */
    INT("Ints", ValueType.INT, 4, 1),
    /** 64-bit integers. */
    LONG("Longs", ValueType.LONG, 8, 1),
    /** Single-precision numbers. */
    FLOAT("Floats", ValueType.FLOAT, 4, 1),
    /** Double-precision numbers. */
    DOUBLE("Doubles", ValueType.DOUBLE, 8, 1),
    /** Complex numbers of two single-precision parts. */
    COMPLEX_FLOAT("ComplexFloats", ValueType.FLOAT, 8, 2),
    /** Complex numbers of two double-precision parts. */
    COMPLEX_DOUBLE("ComplexDoubles", ValueType.DOUBLE, 16, 2);

    private static final String PACKAGE = "io/penstock/kernel/";

    private final String view;
    private final ValueType type;
    private final int bytes;
    private final int parts;

    Element(String view, ValueType type, int bytes, int parts) {
        this.view = view;
        this.type = type;
        this.bytes = bytes;
        this.parts = parts;
    }

    /** The simple name of the view's class, such as {@code Floats}. */
    public String view() {
        return view;
    }

    /** The type of an element, or of a complex element's part, once loaded. */
    public ValueType type() {
        return type;
    }

    /** The bytes of an element. */
    public int bytes() {
        return bytes;
    }

    /** How many numbers an element consists of: 2 if it is complex, else 1. */
    public int parts() {
        return parts;
    }

    /** The elements of a view's class, given by its internal name; null when it is no view. */
    static @Nullable Element ofView(String internalName) {
        for (Element element : values()) if (internalName.equals(PACKAGE + element.view)) return element;
        return null;
    }
}

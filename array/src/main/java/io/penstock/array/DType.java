package io.penstock.array;

/** The type of an array's elements. Complex elements are two reals, the real part first. */
public enum DType {
    /** Unsigned bytes, 0 to 255. */
    U8(1, Kind.INTEGER),
    /** 32-bit integers. */
    I32(4, Kind.INTEGER),
    /** 64-bit integers. */
    I64(8, Kind.INTEGER),
    /** IEEE 754 single precision. */
    F32(4, Kind.REAL),
    /** IEEE 754 double precision. */
    F64(8, Kind.REAL),
    /** Complex numbers of two single-precision parts. */
    C64(8, Kind.COMPLEX),
    /** Complex numbers of two double-precision parts. */
    C128(16, Kind.COMPLEX);

    /** Families of element types, in the order in which promotion climbs them. */
    public enum Kind {
        /** Whole numbers. */
        INTEGER,
        /** Floating-point numbers. */
        REAL,
        /** Pairs of floating-point numbers. */
        COMPLEX
    }

    private final int bytes;
    private final Kind kind;

    DType(int bytes, Kind kind) {
        this.bytes = bytes;
        this.kind = kind;
    }

    /** Bytes an element takes. */
    public int bytes() {
        return bytes;
    }

    /** Which family this type belongs to. */
    public Kind kind() {
        return kind;
    }

    /** Whether elements are complex. */
    public boolean isComplex() {
        return kind == Kind.COMPLEX;
    }

    /** Whether elements are whole numbers. */
    public boolean isInteger() {
        return kind == Kind.INTEGER;
    }

    /** The type of an element's real part: this type when it is not complex. */
    public DType real() {
        return switch (this) {
            case C64 -> F32;
            case C128 -> F64;
            default -> this;
        };
    }

    /** The complex type that holds every value of this type: C64 for F32, U8 and C64, else C128. */
    public DType complex() {
        return switch (this) {
            case F32, U8, C64 -> C64;
            default -> C128;
        };
    }

    /**
     * The type of the result when elements of this and of another type meet, by NumPy's rules: I32 with F32 gives F64, U8 with
     * F32 gives F32, F64 with C64 gives C128.
     */
    public DType promote(DType other) {
        if (this == other) return this;
        DType low = compareTo(other) < 0 ? this : other;
        DType high = low == this ? other : this;
        return switch (high) {
            case F32 -> low == U8 ? F32 : F64;
            case C64 -> low == U8 || low == F32 ? C64 : C128;
            default -> high;
        };
    }
}

package io.penstock.array;

/** The element types that results take: NumPy's rules, with plain numbers and 0-d arrays weak. */
final class Promotion {
    private Promotion() {}

    /** The type when two arrays meet; of a 0-d array that meets one with dimensions only the kind counts. */
    static DType of(NDArray x, NDArray y) {
        if (x.ndim() == 0 && y.ndim() > 0) return weak(y.dtype(), x.dtype().kind());
        if (y.ndim() == 0 && x.ndim() > 0) return weak(x.dtype(), y.dtype().kind());
        return x.dtype().promote(y.dtype());
    }

    /** The type when an array meets a number of which only the kind counts. */
    static DType weak(DType array, DType.Kind number) {
        if (number.compareTo(array.kind()) <= 0) return array;
        if (number == DType.Kind.REAL) return DType.F64;
        return array == DType.F32 ? DType.C64 : DType.C128;
    }

    /**
     * Checks that a weak whole number fits the type it takes.
     *
     * @throws IllegalArgumentException when it does not
     */
    static void checkFits(long value, DType dtype) {
        boolean fits = switch (dtype) {
            case U8 -> value >= 0 && value <= 255;
            case I32 -> value == (int) value;
            default -> true;
        };
        if (!fits)
            throw new IllegalArgumentException(
                    "the number " + value + " does not fit " + dtype + "; convert the array with as(DType.I64) first");
    }
}

package io.penstock.array;

/** Operations on one element. */
enum UnaryOp {
    NEGATE,
    ABSOLUTE,
    SIGN,
    CONJUGATE,
    FLOOR,
    CEIL,
    ROUND,
    SQRT,
    EXP,
    LOG,
    SIN,
    COS,
    TANH;

    /** Whether whole numbers must become floating-point ones first. */
    boolean needsReal() {
        return compareTo(SQRT) >= 0;
    }
}

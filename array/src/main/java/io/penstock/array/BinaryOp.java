package io.penstock.array;

/** Operations on two elements. */
enum BinaryOp {
    ADD,
    SUBTRACT,
    MULTIPLY,
    DIVIDE,
    POWER,
    REMAINDER,
    MINIMUM,
    MAXIMUM,
    EQUAL,
    NOT_EQUAL,
    LESS,
    LESS_EQUAL,
    GREATER,
    GREATER_EQUAL;

    /** Whether the result says yes (1) or no (0). */
    boolean isComparison() {
        return compareTo(EQUAL) >= 0;
    }

    /** Whether the operation needs elements that have an order. */
    boolean needsOrder() {
        return this == REMAINDER || this == MINIMUM || this == MAXIMUM || compareTo(LESS) >= 0;
    }

    /** The type of the result for operands that meet as {@code promoted}. */
    DType result(DType promoted) {
        if (isComparison()) return DType.U8;
        return this == DIVIDE && promoted.isInteger() ? DType.F64 : promoted;
    }
}

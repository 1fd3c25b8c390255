package io.penstock.kernel.ir;

/** What a value of the intermediate form is computed by. Arithmetic is Java's, operand and result types included. */
public enum Operation {
    /** A literal; the attribute is a boxed number. */
    CONSTANT,
    /** An argument of the launch; the attribute is the {@link Parameter}. */
    PARAMETER,
    /** The work-item as an object. */
    ITEM,
    /** The item's index along x. */
    ITEM_X,
    /** The item's index along y. */
    ITEM_Y,
    /** The item's index along z. */
    ITEM_Z,
    /** The item's index along x within its group. */
    LOCAL_X,
    /** The item's index along y within its group. */
    LOCAL_Y,
    /** The item's index along z within its group. */
    LOCAL_Z,
    /** The index along x of the item's group. */
    GROUP_X,
    /** The index along y of the item's group. */
    GROUP_Y,
    /** The index along z of the item's group. */
    GROUP_Z,
    /** A {@link Query} of a view (the operand) or, without an operand, of the range. */
    QUERY,
    /** A parameter of a block, given by the edges that lead there. */
    PHI,
    /** Sum. */
    ADD,
    /** Difference. */
    SUB,
    /** Product. */
    MUL,
    /** Division; of integers, fails on a zero divisor. */
    DIV,
    /** Remainder; of integers, fails on a zero divisor. */
    REM,
    /** Bits set in both. */
    AND,
    /** Bits set in either. */
    OR,
    /** Bits set in one only. */
    XOR,
    /** Shifts left by an {@code INT}, of which the low 5 or 6 bits count. */
    SHL,
    /** Shifts right, copying the sign. */
    SHR,
    /** Shifts right, filling with zeros. */
    USHR,
    /** {@code Math.min}: NaN if either is, and -0 below 0. */
    MIN,
    /** {@code Math.max}: NaN if either is, and 0 above -0. */
    MAX,
    /** The number with the opposite sign; of integers, wrapped around. */
    NEG,
    /** {@code Math.abs}. */
    ABS,
    /** The square root, correctly rounded. */
    SQRT,
    /** {@code a * b + c}, rounded once. */
    FMA,
    /** A number as another type, as a cast does it. */
    CONVERT,
    /** The bits of a number as the other type of its size. */
    BITS,
    /** The low 8 bits of an {@code INT}, with their sign. */
    TO_BYTE,
    /** The low 16 bits of an {@code INT}, with their sign. */
    TO_SHORT,
    /** The low 16 bits of an {@code INT}, without a sign. */
    TO_CHAR,
    /** A {@link MathFunction}, the attribute. */
    MATH,
    /** -1, 0 or 1; the attribute is what an unordered pair gives. Only within the front end. */
    COMPARE,
    /** Whether two numbers are equal; not so for NaN. */
    EQ,
    /** Whether two numbers differ; so for NaN. */
    NE,
    /** Whether the first is less. */
    LT,
    /** Whether the first is less or equal. */
    LE,
    /** Whether the first is greater. */
    GT,
    /** Whether the first is greater or equal. */
    GE,
    /** The second operand where the first (a condition) holds, else the third. */
    SELECT,
    /**
     * Memory that the items of a group share, a view of as many dimensions as there are operands, which are the extents, each a
     * {@link LaunchConstant}; the attribute is the {@link LocalArray}. There is one array a group, however often this is computed.
     */
    LOCAL_ARRAY,
    /** A new array of zeros of the item's own; the attribute is the {@link PrivateArray}. */
    PRIVATE_ARRAY,
    /** An element of an array: the array, then its indices; the attribute is the part. Fails on an index outside. */
    LOAD,
    /** Sets an element: the array, its indices, the value; the attribute is the part. Fails on an index outside. */
    STORE,
    /**
     * Changes an element of a view in one step that no other atomic one divides; gives what it was. The view, its indices, then
     * what the {@link Atomic}, the attribute, takes. Fails on an index outside.
     */
    ATOMIC,
    /**
     * Waits until all items of the group have come here, and sees what they have written before. Either all items of a group
     * come here or none; see {@link Uniformity}.
     */
    BARRIER,
    /** Fails: the attribute is the {@link Thrown}, the operands are the numbers in its message. A return follows. */
    FAIL,
    /** An object whose constructor has not run; the attribute is its class. Only within the front end. */
    NEW,
    /** A record of values, its operands; the attribute is the {@link RecordShape}. Only within the front end. */
    RECORD,
    /** An exception; attribute and operands are as those of {@link #FAIL}. Only within the front end. */
    THROWN,
    /** A string; the attribute is the {@link Text}, the operands are the numbers in it. Only within the front end. */
    TEXT;

    /** Whether this reads or writes an element of an array, the first operand. */
    public boolean isAccess() {
        return this == LOAD || this == STORE || this == ATOMIC;
    }

    /** Whether this compares two numbers. */
    public boolean isComparison() {
        return compareTo(EQ) >= 0 && compareTo(GE) <= 0;
    }

    /** The comparison that holds for {@code (b, a)} where this one holds for {@code (a, b)}. */
    public Operation swapped() {
        return switch (this) {
            case LT -> GT;
            case LE -> GE;
            case GT -> LT;
            case GE -> LE;
            default -> this;
        };
    }

    /** The comparison of integers that holds where this one does not; of floating-point numbers, if both are numbers. */
    public Operation negated() {
        return switch (this) {
            case EQ -> NE;
            case NE -> EQ;
            case LT -> GE;
            case GE -> LT;
            case GT -> LE;
            case LE -> GT;
            default -> throw new IllegalArgumentException(this + " is no comparison");
        };
    }
}

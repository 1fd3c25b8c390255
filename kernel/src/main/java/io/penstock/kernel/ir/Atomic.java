package io.penstock.kernel.ir;

/** What an atomic change makes of an element; all but the last take one value, and numbers are computed as Java does. */
public enum Atomic {
    /** The sum with a value. */
    ADD("atomicAdd"),
    /** {@code Math.min} with a value. */
    MIN("atomicMin"),
    /** {@code Math.max} with a value. */
    MAX("atomicMax"),
    /** The bits also set in a value. */
    AND("atomicAnd"),
    /** The bits set here or in a value. */
    OR("atomicOr"),
    /** The bits set either here or in a value. */
    XOR("atomicXor"),
    /** The value. */
    EXCHANGE("atomicExchange"),
    /** The second value where the element is the first, else what it was. */
    COMPARE_EXCHANGE("atomicCompareExchange");

    private final String method;

    Atomic(String method) {
        this.method = method;
    }

    /** The name of the view's method. */
    public String method() {
        return method;
    }

    /** How many values it takes. */
    public int operands() {
        return this == COMPARE_EXCHANGE ? 2 : 1;
    }
}

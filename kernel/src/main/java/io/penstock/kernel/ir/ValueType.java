package io.penstock.kernel.ir;

/** The type of a value of the intermediate form; the small integers of Java are {@code INT}, as on the JVM's stack. */
public enum ValueType {
    /** 32 bits, two's complement. */
    INT,
    /** 64 bits, two's complement. */
    LONG,
    /** IEEE 754 single precision. */
    FLOAT,
    /** IEEE 754 double precision. */
    DOUBLE,
    /** The outcome of a comparison; Java's own booleans are {@code INT}. */
    CONDITION,
    /** An element view or the work-item: known by name, never computed. */
    REFERENCE,
    /** No value, as of a store. */
    NOTHING;

    /** Whether this is one of the four number types. */
    public boolean isNumber() {
        return compareTo(DOUBLE) <= 0;
    }

    /** Whether this is {@code INT} or {@code LONG}. */
    public boolean isInteger() {
        return this == INT || this == LONG;
    }
}

package io.penstock.operator;

/** Which neighbours a difference quotient looks at. */
public enum Difference {
    /** The element itself and those behind it. */
    FORWARD,
    /** The element itself and those ahead of it. */
    BACKWARD,
    /** As many ahead as behind. */
    CENTERED
}

package io.penstock.kernel.c;

import io.penstock.kernel.ir.Value;

/**
 * A place in a kernel where an item can fail; failure records name it by its number.
 *
 * @param value what fails: an access with an index outside, a division by zero, or a {@code FAIL}
 */
public record FailureSite(Value value) {
    /** The position among the launch's values of the view whose index was outside; -1 where it is none. */
    public int array() {
        return value.isGlobal() ? value.array().parameter().index() : -1;
    }
}

package io.penstock.comm;

import io.penstock.array.NDArray;
import java.util.Objects;

/**
 * An array of an exchange, and the rank that it goes to or comes from.
 *
 * @param rank the other rank
 * @param array what is sent, or where what comes is put
 */
public record Envelope(int rank, NDArray array) {
    /** Checks that there is an array. */
    public Envelope {
        Objects.requireNonNull(array, "array is null");
    }
}

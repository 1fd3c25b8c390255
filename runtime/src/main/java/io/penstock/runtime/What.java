package io.penstock.runtime;

import java.util.Objects;

/**
 * What a piece of work is, for traces and people.
 *
 * @param label its name, such as that of a kernel
 */
record What(String label, Kind kind) {
    /** Sorts of work that a trace tells apart. */
    enum Kind {
        WORK,
        COPY,
        FILL,
        MESSAGE
    }

    static final What UNNAMED = new What("work", Kind.WORK);
    static final What COPY = new What("copy", Kind.COPY);
    static final What FILL = new What("fill", Kind.FILL);

    What {
        Objects.requireNonNull(label, "label is null");
    }

    static What work(String label) {
        return new What(label, Kind.WORK);
    }

    static What message(String label) {
        return new What(label, Kind.MESSAGE);
    }
}

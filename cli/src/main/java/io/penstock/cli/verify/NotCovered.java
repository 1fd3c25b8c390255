package io.penstock.cli.verify;

/** A recorded case asks for something that Penstock does not have, or a mapping does not know. */
final class NotCovered extends RuntimeException {
    private static final long serialVersionUID = 1;

    NotCovered(String what) {
        super(what);
    }
}

package io.penstock.cli.doctor;

/**
 * One thing that was looked for.
 *
 * @param group what it belongs to, such as {@code MPI}
 * @param name what it is
 * @param found whether it is there
 * @param detail what it is exactly, or why it was not found
 */
record Finding(String group, String name, boolean found, String detail) {
    static Finding found(String group, String name, String detail) {
        return new Finding(group, name, true, detail);
    }

    static Finding missing(String group, String name, String reason) {
        return new Finding(group, name, false, reason);
    }
}

package io.penstock.runtime.cuda;

/**
 * Whether memory of CUDA devices is allocated such that other processes can be given it, as an MPI between processes of one machine
 * needs for sharing it by handles. An MPI that takes device memory asks for it when it starts; the system property
 * {@code penstock.cuda.exportable} says it from the beginning, {@code true} or {@code false}. Such memory stays the process's until
 * its end.
 */
public final class Exports {
    private static final String PROPERTY = "penstock.cuda.exportable";
    private static volatile boolean asked = Boolean.getBoolean(PROPERTY);

    private Exports() {}

    /** Has device memory be exportable from now on, unless the property says {@code false}; what was allocated before is not. */
    public static void ask() {
        asked = !"false".equals(System.getProperty(PROPERTY));
    }

    static boolean areWanted() {
        return asked;
    }
}

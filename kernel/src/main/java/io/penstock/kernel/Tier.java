package io.penstock.kernel;

import java.util.Locale;

/** How kernels in the kernel language run on the JVM: as {@code PLAIN}, unless {@code -Dpenstock.tier} asks for another. */
enum Tier {
    /** As the JVM runs Java. */
    PLAIN,
    /** Compiled, one item at a time. */
    SCALAR,
    /** Compiled, in vectors where a kernel is suited to them. */
    VECTOR,
    /** As plain Java first; kernels that take long are compiled as for {@code VECTOR}, and go on with what is faster. */
    MEASURED;

    /** What was asked for. */
    static final Tier ASKED =
            valueOf(System.getProperty("penstock.tier", "plain").toUpperCase(Locale.ROOT));
}

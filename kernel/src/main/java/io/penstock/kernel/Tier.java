package io.penstock.kernel;

import java.util.Locale;

/** How kernels in the kernel language run on the JVM; {@code -Dpenstock.tier} asks for one of these. */
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
            valueOf(System.getProperty("penstock.tier", "measured").toUpperCase(Locale.ROOT));
}

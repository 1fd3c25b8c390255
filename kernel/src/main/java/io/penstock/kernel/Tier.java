package io.penstock.kernel;

import java.util.Locale;

/** How kernels in the kernel language run on the JVM; {@code -Dpenstock.tier} asks for another way than {@code MEASURED}. */
enum Tier {
    /** As the JVM runs Java. */
    PLAIN,
    /** Compiled, one item at a time. */
    SCALAR,
    /** Compiled, in vectors where a kernel is suited to them. */
    VECTOR,
    /** As plain Java first; kernels that take long and are suited to vectors are compiled, and go on with what is faster. */
    MEASURED;

    private static volatile Tier asked =
            valueOf(System.getProperty("penstock.tier", "measured").toUpperCase(Locale.ROOT));

    /** What was asked for. */
    static Tier asked() {
        return asked;
    }

    /** Asks for another from here on, of kernels over arguments that were not prepared before; for tests. */
    static void ask(Tier tier) {
        asked = tier;
    }
}

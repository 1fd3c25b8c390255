package io.penstock.kernel;

/** Chooses how kernels run on the JVM, for tests outside this package. */
public final class KernelTiers {
    private KernelTiers() {}

    /** As usual. */
    public static void measured() {
        Tier.ask(Tier.MEASURED);
    }

    /** As the JVM runs Java. */
    public static void plain() {
        Tier.ask(Tier.PLAIN);
    }

    /** Compiled in vectors from the first launch on. */
    public static void vector() {
        Tier.ask(Tier.VECTOR);
    }
}

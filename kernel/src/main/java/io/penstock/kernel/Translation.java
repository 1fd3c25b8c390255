package io.penstock.kernel;

import io.penstock.kernel.ir.FrontEnd;
import io.penstock.kernel.ir.KernelCode;
import io.penstock.kernel.ir.KernelRefusedException;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of translating a kernel's method to the intermediate form.
 *
 * @param code the code; null where there is none
 * @param refusal why there is none; null where there is
 */
record Translation(@Nullable KernelCode code, @Nullable RuntimeException refusal) {
    private static final System.Logger LOG = System.getLogger("io.penstock.kernel");

    /** Translates a method. That it cannot be is logged, and the JVM runs the kernel all the same. */
    static Translation of(Implementation implementation) {
        try {
            return new Translation(
                    FrontEnd.translate(
                            implementation.classes(),
                            implementation.owner(),
                            implementation.method(),
                            implementation.type().toMethodDescriptorString(),
                            implementation.captured()),
                    null);
        } catch (KernelRefusedException e) {
            LOG.log(
                    System.Logger.Level.INFO,
                    "kernel {0} runs on the JVM only, and counts as writing all elements of its arrays: {1}",
                    implementation.name(),
                    e.getMessage());
            return new Translation(null, e);
        } catch (RuntimeException e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "the compiler failed on kernel " + implementation.name()
                            + ", which therefore runs on the JVM only; please report this",
                    e);
            return new Translation(null, e);
        }
    }
}

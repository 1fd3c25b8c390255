package io.penstock.kernel;

import io.penstock.kernel.ir.FrontEnd;
import io.penstock.kernel.ir.KernelCode;
import io.penstock.kernel.ir.KernelRefusedException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of translating a kernel's method to the intermediate form.
 *
 * @param code the code; null where there is none
 * @param refusal why there is none; null where there is
 * @param needsGroups whether a group must run as one
 * @param seesGroups whether it matters how the range is cut into groups
 * @param classes the class files that the code was made of
 */
record Translation(
        @Nullable KernelCode code,
        @Nullable RuntimeException refusal,
        boolean needsGroups,
        boolean seesGroups,
        List<ClassSum> classes) {
    private static final System.Logger LOG = System.getLogger("io.penstock.kernel");

    /** Translates a method. That it cannot be is logged, and the JVM runs the kernel all the same. */
    static Translation of(Implementation implementation) {
        SeenClasses classes = new SeenClasses(implementation.classes());
        try {
            KernelCode code = FrontEnd.translate(
                    classes,
                    implementation.owner(),
                    implementation.method(),
                    implementation.type().toMethodDescriptorString(),
                    implementation.captured());
            return new Translation(code, null, code.needsGroups(), code.seesGroups(), classes.sums());
        } catch (KernelRefusedException e) {
            LOG.log(
                    System.Logger.Level.INFO,
                    "kernel {0} runs on the JVM only, and counts as writing all elements of its arrays: {1}",
                    implementation.name(),
                    e.getMessage());
            return new Translation(null, e, false, false, List.of());
        } catch (RuntimeException e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "the compiler failed on kernel " + implementation.name()
                            + ", which therefore runs on the JVM only; please report this",
                    e);
            return new Translation(null, e, false, false, List.of());
        }
    }
}

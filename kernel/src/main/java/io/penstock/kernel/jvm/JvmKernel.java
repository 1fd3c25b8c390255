package io.penstock.kernel.jvm;

import io.penstock.kernel.ir.KernelCode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A kernel compiled for the JVM, for launches of one shape. */
public final class JvmKernel {
    private final CompiledKernel loop;
    private final List<Site> sites;
    private final int lanes;
    private final String reason;

    private JvmKernel(CompiledKernel loop, List<Site> sites, int lanes, String reason) {
        this.loop = loop;
        this.sites = sites;
        this.lanes = lanes;
        this.reason = reason;
    }

    /** The kernel one item at a time. */
    public static JvmKernel scalar(KernelCode code, LaunchShape shape) {
        return spin(code, shape, null, "");
    }

    /** The kernel in vectors, or one item at a time where it is not suited to them, which {@link #reason} then tells. */
    public static JvmKernel vector(KernelCode code, LaunchShape shape) {
        try {
            return spin(code, shape, new VectorPlan(code, shape, Hardware.VECTOR_BITS), "");
        } catch (VectorPlan.Unsuitable e) {
            return spin(code, shape, null, String.valueOf(e.getMessage()));
        }
    }

    private static JvmKernel spin(KernelCode code, LaunchShape shape, @Nullable VectorPlan plan, String reason) {
        LoopClass type = new LoopClass(code, shape, plan);
        byte[] bytes = type.spin();
        return new JvmKernel(LoopClass.define(bytes), type.sites(), plan == null ? 1 : plan.lanes(), reason);
    }

    /** Whether launches of a shape can be compiled: questions for a dimension that a view lacks fail in Java. */
    public static boolean isPossible(KernelCode code, LaunchShape shape) {
        return LaunchLocals.answersAll(code, shape);
    }

    /** The bytes of items' own arrays that a kernel needs in scratch memory. */
    public static long ownBytes(KernelCode code) {
        return new OwnArrays(code).bytes() * (code.seesGroups() ? GroupItems.MOST_ITEMS : 1);
    }

    /** The bytes in which items keep numbers over barriers. */
    public static long stateBytes(KernelCode code) {
        return GroupItems.bytes(code);
    }

    /** The loop over a launch's items. */
    public CompiledKernel loop() {
        return loop;
    }

    /** Where items can fail, by the numbers in {@link KernelFault#site}. */
    public List<Site> sites() {
        return sites;
    }

    /** How many items run at once: 1 if the kernel is not in vectors. */
    public int lanes() {
        return lanes;
    }

    /** Why the kernel is not in vectors though that was asked for; empty if it is. */
    public String reason() {
        return reason;
    }
}

package io.penstock.kernel.jvm;

import io.penstock.kernel.ir.KernelCode;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.util.List;

/** A kernel compiled for the JVM, for launches of one shape. */
public final class JvmKernel {
    /** The JVM compiles no method of more bytes. */
    private static final int LONGEST = 8000;

    private final CompiledKernel loop;
    private final List<Site> sites;
    private final int lanes;
    private final String reason;
    private final boolean isLong;

    private JvmKernel(CompiledKernel loop, List<Site> sites, int lanes, String reason, boolean isLong) {
        this.isLong = isLong;
        this.loop = loop;
        this.sites = sites;
        this.lanes = lanes;
        this.reason = reason;
    }

    /** The kernel one item at a time. */
    public static JvmKernel scalar(KernelCode code, LaunchShape shape) {
        return spin(LoopClass.scalar(code, shape), "");
    }

    /** The kernel in vectors, or one item at a time where it is not suited to them, which {@link #reason} then tells. */
    public static JvmKernel vector(KernelCode code, LaunchShape shape) {
        try {
            return spin(LoopClass.vector(code, shape), "");
        } catch (VectorPlan.Unsuitable e) {
            return spin(LoopClass.scalar(code, shape), String.valueOf(e.getMessage()));
        }
    }

    private static JvmKernel spin(LoopClass type, String reason) {
        byte[] bytes = type.spin();
        return new JvmKernel(LoopClass.define(bytes), type.sites(), type.lanes(), reason, isLong(bytes));
    }

    private static boolean isLong(byte[] bytes) {
        return ClassFile.of().parse(bytes).methods().stream()
                .flatMap(method -> method.findAttribute(Attributes.code()).stream())
                .anyMatch(code -> code.codeLength() >= LONGEST);
    }

    /** Whether launches of a shape can be compiled: questions for a dimension that a view lacks fail in Java. */
    public static boolean isPossible(KernelCode code, LaunchShape shape) {
        return LaunchLocals.answersAll(code, shape);
    }

    /** The loop over a launch's items. */
    public CompiledKernel loop() {
        return loop;
    }

    /** Where items can fail, by the numbers in {@link KernelFault#site}. */
    public List<Site> sites() {
        return sites;
    }

    /** Whether the code is too long for the JVM to compile it in turn. */
    public boolean isLong() {
        return isLong;
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

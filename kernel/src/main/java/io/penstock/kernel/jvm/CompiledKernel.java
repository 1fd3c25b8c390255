package io.penstock.kernel.jvm;

/** What a kernel is compiled to: a loop over a part of a launch's items, in a hidden class of its own. */
public abstract class CompiledKernel {
    /** A compiled kernel. */
    protected CompiledKernel() {}

    /**
     * Runs the items from {@code from} (inclusive) to {@code to} (exclusive), counted along x first.
     *
     * @param launch the launch's numbers, as {@link LaunchWords} lays them out
     * @param scratch the address of {@link Scratch} that no other thread uses meanwhile
     * @throws KernelFault when an item fails
     */
    public abstract void run(long[] launch, long scratch, long from, long to);
}

package io.penstock.kernel;

/** Something that a launch can pass to a kernel's parameter of an element view's type. */
public interface KernelArgument {
    /** The elements as a view of the type that suits them, over the same memory. */
    ElementView elements();

    /**
     * The same argument with the promise that the kernel only reads it, so that launches that read one array need not wait for
     * each other. It counts only for kernels that are not in the kernel language, of which nothing else is known; such a kernel
     * that writes it all the same is not ordered as it must be.
     */
    default KernelArgument readOnly() {
        return new ReadOnly(this);
    }
}

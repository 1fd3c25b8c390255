package io.penstock.kernel;

/** Something that a launch can pass to a kernel's parameter of an element view's type. */
public interface KernelArgument {
    /** The elements as a view of the type that suits them, over the same memory. */
    ElementView elements();
}

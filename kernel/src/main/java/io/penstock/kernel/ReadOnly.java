package io.penstock.kernel;

/** An argument that a launch declares to be only read. */
record ReadOnly(KernelArgument argument) implements KernelArgument {
    @Override
    public ElementView elements() {
        return argument.elements();
    }
}

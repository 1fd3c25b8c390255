package io.penstock.cli;

/** A command that another module on the class path adds to the program, found as a service; annotated as picocli wants it. */
public interface AddedCommand extends Runnable {}

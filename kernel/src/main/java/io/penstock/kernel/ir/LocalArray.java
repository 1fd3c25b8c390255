package io.penstock.kernel.ir;

/**
 * An array that the items of a group share. What it holds at the beginning is unspecified.
 *
 * @param number tells it from the kernel's other arrays
 * @param element what its elements are
 */
public record LocalArray(int number, Element element) {}

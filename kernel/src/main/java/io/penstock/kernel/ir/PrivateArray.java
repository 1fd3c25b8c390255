package io.penstock.kernel.ir;

/**
 * An array of one item's own.
 *
 * @param number tells it from the kernel's other arrays
 * @param element what its elements are: {@code INT}, {@code LONG}, {@code FLOAT} or {@code DOUBLE}; Java's smaller integers are
 *     kept as {@code INT}
 * @param length how many there are
 */
public record PrivateArray(int number, Element element, int length) {}

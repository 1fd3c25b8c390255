package io.penstock.kernel.ir;

import org.jspecify.annotations.Nullable;

/**
 * An argument of a launch as the kernel knows it.
 *
 * @param index its position among the values of a launch: captured values first, the work-item not counted
 * @param name its name in the source
 * @param type the type of a scalar; {@code REFERENCE} for a view
 * @param element what a view's elements are; null for a scalar
 */
public record Parameter(
        int index, String name, ValueType type, @Nullable Element element) {
    /** Whether this is a view. */
    public boolean isView() {
        return element != null;
    }
}

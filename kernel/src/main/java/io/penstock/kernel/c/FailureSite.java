package io.penstock.kernel.c;

import io.penstock.kernel.ir.Position;
import org.jspecify.annotations.Nullable;

/**
 * A place in a kernel where an item can fail; failure records name it by its number.
 *
 * @param position the place in the source
 * @param array the position among the launch's values of the view whose index was outside; -1 for a division by zero
 */
public record FailureSite(@Nullable Position position, int array) {}

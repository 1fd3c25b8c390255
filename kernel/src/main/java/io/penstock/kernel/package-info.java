/** The kernel language: work-items, element views, and launches of static Java methods over ranges. */
@NullMarked
package io.penstock.kernel;

import org.jspecify.annotations.NullMarked;

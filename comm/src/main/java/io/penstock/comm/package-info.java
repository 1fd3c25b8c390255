/** Ranks that work together, and what they say to each other. */
@NullMarked
package io.penstock.comm;

import org.jspecify.annotations.NullMarked;

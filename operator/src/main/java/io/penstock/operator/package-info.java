/** Matrix-free linear operators, local and distributed, and their algebra. */
@NullMarked
package io.penstock.operator;

import org.jspecify.annotations.NullMarked;

/** Tests of the kernel language. */
@NullMarked
package io.penstock.kernel;

import org.jspecify.annotations.NullMarked;

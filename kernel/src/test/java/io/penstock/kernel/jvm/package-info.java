/** Mistakes planted into compiled kernels. */
@NullMarked
package io.penstock.kernel.jvm;

import org.jspecify.annotations.NullMarked;

/** Kernels as classes of the JVM: loops over items one at a time, and over as many as a vector register has lanes. */
@NullMarked
package io.penstock.kernel.jvm;

import org.jspecify.annotations.NullMarked;

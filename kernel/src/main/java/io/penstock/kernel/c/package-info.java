/** Kernels as source text of the C family: CUDA C++ and OpenCL C, with Java's meaning kept. */
@NullMarked
package io.penstock.kernel.c;

import org.jspecify.annotations.NullMarked;

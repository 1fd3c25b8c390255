/** Kernels in Java on a device, beside the same in CUDA C++ and CuPy: {@code penstock bench gpu}. */
@NullMarked
package io.penstock.bench.gpu;

import org.jspecify.annotations.NullMarked;

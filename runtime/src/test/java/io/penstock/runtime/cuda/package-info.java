/** Tests of CUDA devices, on a stand-in for the driver and, where there is one, on a GPU. */
@NullMarked
package io.penstock.runtime.cuda;

import org.jspecify.annotations.NullMarked;

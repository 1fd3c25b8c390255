/** NVIDIA's devices, through the CUDA driver: memory, queues that are streams, code, graphs. Found at run time when they are there. */
@NullMarked
package io.penstock.runtime.cuda;

import org.jspecify.annotations.NullMarked;

/** OpenCL devices: queues, memory and programs of the drivers that the system's OpenCL loader finds. */
@NullMarked
package io.penstock.runtime.opencl;

import org.jspecify.annotations.NullMarked;

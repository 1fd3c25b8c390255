/** Tests of what is OpenCL's own; what all devices owe is tested one package up. */
@NullMarked
package io.penstock.runtime.opencl;

import org.jspecify.annotations.NullMarked;

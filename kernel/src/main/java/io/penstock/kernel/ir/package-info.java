/** The intermediate form of kernels: built from class files, printed, analysed, and turned into code for devices. */
@NullMarked
package io.penstock.kernel.ir;

import org.jspecify.annotations.NullMarked;

/** What tests of arrays may ask of kernels that users may not. */
@NullMarked
package io.penstock.kernel;

import org.jspecify.annotations.NullMarked;

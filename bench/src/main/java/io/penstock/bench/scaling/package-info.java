/** Distributed operators and solvers on one device and on several: strong and weak scaling. */
@NullMarked
package io.penstock.bench.scaling;

import org.jspecify.annotations.NullMarked;

/** Tests of the scaling benchmark. */
@NullMarked
package io.penstock.bench.scaling;

import org.jspecify.annotations.NullMarked;

/** Tests of the copying benchmark. */
@NullMarked
package io.penstock.bench.copy;

import org.jspecify.annotations.NullMarked;

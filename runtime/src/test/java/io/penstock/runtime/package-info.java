/** Tests of buffers, scopes and allocations. */
@NullMarked
package io.penstock.runtime;

import org.jspecify.annotations.NullMarked;

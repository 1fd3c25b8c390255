/** Arrays whose parts lie on different ranks: who owns what is computed, never communicated. */
@NullMarked
package io.penstock.distributed;

import org.jspecify.annotations.NullMarked;

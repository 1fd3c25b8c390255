/** Measurements of Penstock against peers and physical limits in the same run; nothing ships from here. */
@NullMarked
package io.penstock.bench;

import org.jspecify.annotations.NullMarked;

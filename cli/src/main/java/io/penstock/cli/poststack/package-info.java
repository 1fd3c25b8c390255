/** The ready job {@code penstock poststack}: a seismic section inverted for impedance in three ways. */
@NullMarked
package io.penstock.cli.poststack;

import org.jspecify.annotations.NullMarked;

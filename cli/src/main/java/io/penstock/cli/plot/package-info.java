/** Pictures of sections and curves, as PNG files. */
@NullMarked
package io.penstock.cli.plot;

import org.jspecify.annotations.NullMarked;

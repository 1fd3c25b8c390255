/** The command verify: recorded reference cases against the library. */
@NullMarked
package io.penstock.cli.verify;

import org.jspecify.annotations.NullMarked;

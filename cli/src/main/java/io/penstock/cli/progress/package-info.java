/** How a long job tells where it stands, on a terminal and in a pipe. */
@NullMarked
package io.penstock.cli.progress;

import org.jspecify.annotations.NullMarked;

/** The command poststack: the inversion of a post-stack seismic section. */
@NullMarked
package io.penstock.cli.poststack;

import org.jspecify.annotations.NullMarked;

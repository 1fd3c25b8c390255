/** The command {@code kernel}: shows what a kernel is compiled to. */
@NullMarked
package io.penstock.cli.kernel;

import org.jspecify.annotations.NullMarked;

/** Tests by real jobs of several processes. */
@NullMarked
package io.penstock.cli.mpi;

import org.jspecify.annotations.NullMarked;

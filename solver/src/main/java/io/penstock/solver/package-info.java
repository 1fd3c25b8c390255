/** Iterative solvers over vectors and linear operators, written once for every kind of vector. */
@NullMarked
package io.penstock.solver;

import org.jspecify.annotations.NullMarked;

/** N-dimensional arrays with NumPy's rules, the vectors that solvers work on, and the files they are kept in. */
@NullMarked
package io.penstock.array;

import org.jspecify.annotations.NullMarked;

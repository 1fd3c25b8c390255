/** Bindings of C libraries through the foreign function interface: one class a library, names and argument order as in C, no policy. */
@NullMarked
package io.penstock.foreign;

import org.jspecify.annotations.NullMarked;

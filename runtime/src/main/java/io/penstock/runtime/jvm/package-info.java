/** The device that is always there: the JVM's own cores, over off-heap memory. */
@NullMarked
package io.penstock.runtime.jvm;

import org.jspecify.annotations.NullMarked;

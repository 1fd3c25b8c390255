/** Tests of the JVM device's memory and threads. */
@NullMarked
package io.penstock.runtime.jvm;

import org.jspecify.annotations.NullMarked;

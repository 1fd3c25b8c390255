/** Devices, their queues and their memory. */
@NullMarked
package io.penstock.runtime;

import org.jspecify.annotations.NullMarked;

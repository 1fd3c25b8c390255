/** The reported case of two devices that copy a column each, measured: queues, devices and kinds of memory against one kernel. */
@NullMarked
package io.penstock.bench.copy;

import org.jspecify.annotations.NullMarked;

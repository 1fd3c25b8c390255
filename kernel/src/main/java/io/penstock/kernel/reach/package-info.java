/** Which elements of each array a launch touches, computed from the kernel's code and the launch's sizes and scalars. */
@NullMarked
package io.penstock.kernel.reach;

import org.jspecify.annotations.NullMarked;

/** What the tests of several modules share; nothing ships from here. */
@NullMarked
package io.penstock.testing;

import org.jspecify.annotations.NullMarked;

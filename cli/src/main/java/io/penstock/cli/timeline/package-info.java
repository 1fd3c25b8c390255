/** {@code penstock timeline}: draws what a trace tells. */
@NullMarked
package io.penstock.cli.timeline;

import org.jspecify.annotations.NullMarked;

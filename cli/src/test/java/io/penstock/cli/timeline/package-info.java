/** Tests of traces drawn. */
@NullMarked
package io.penstock.cli.timeline;

import org.jspecify.annotations.NullMarked;

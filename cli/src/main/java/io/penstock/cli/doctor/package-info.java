/** The command doctor: what this machine offers. */
@NullMarked
package io.penstock.cli.doctor;

import org.jspecify.annotations.NullMarked;

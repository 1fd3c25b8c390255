/** The program penstock: its commands, and what it says when one fails. */
@NullMarked
package io.penstock.cli;

import org.jspecify.annotations.NullMarked;

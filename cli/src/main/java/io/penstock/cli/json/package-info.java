/** JSON files. */
@NullMarked
package io.penstock.cli.json;

import org.jspecify.annotations.NullMarked;

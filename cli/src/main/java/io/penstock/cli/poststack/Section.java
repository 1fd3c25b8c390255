package io.penstock.cli.poststack;

import io.penstock.array.NDArray;
import io.penstock.cli.plot.Axis;

/**
 * A section to invert for, and where it lies.
 *
 * @param model the unknown, of shape (traces, samples)
 * @param across where the traces are
 * @param down where the samples are
 * @param unknown what the values are
 */
record Section(NDArray model, Axis across, Axis down, String unknown) {}

package io.penstock.cli.poststack;

import io.penstock.array.NDArray;
import io.penstock.cli.plot.Axis;
import java.util.List;

/**
 * A section to invert for, and where it lies.
 *
 * @param model the unknown, of shape (traces, samples)
 * @param across where the traces are
 * @param down where the samples are
 * @param unknown what the values are
 * @param notes what its user should know of how it was read
 */
record Section(NDArray model, Axis across, Axis down, String unknown, List<String> notes) {}

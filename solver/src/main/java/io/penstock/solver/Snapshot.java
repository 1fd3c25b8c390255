package io.penstock.solver;

import io.penstock.array.Vector;
import java.util.List;

/**
 * All that a solver's next iterations depend on, as it is: nothing is copied.
 *
 * @param solver which solver it is of; another cannot go on from it
 * @param vectors the vectors, in an order that the solver knows
 * @param numbers the numbers, in an order that the solver knows
 * @param history the norms so far
 */
@SuppressWarnings("ArrayRecordComponent") // never leaves the package and is not compared
record Snapshot(String solver, List<? extends Vector<?>> vectors, double[] numbers, History history) {}

package io.penstock.cli.poststack;

import io.penstock.comm.Traffic;
import io.penstock.distributed.DistributedArray;
import io.penstock.solver.Solution;

/**
 * What one inversion gave.
 *
 * @param solution what the solver found
 * @param modelError {@code |x - model| / |model|}
 * @param seconds how long the iterations took
 * @param traffic what all ranks together sent during the iterations
 */
record Outcome(Solution<DistributedArray> solution, double modelError, double seconds, Traffic traffic) {
    /** The mean time of an iteration; 0 where there was none. */
    double secondsPerIteration() {
        return solution.iterations() == 0 ? 0 : seconds / solution.iterations();
    }
}

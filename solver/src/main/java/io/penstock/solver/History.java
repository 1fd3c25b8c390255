package io.penstock.solver;

import java.util.List;

/**
 * What a solver measured at the start (entry 0) and after every iteration.
 *
 * @param residualNorms the norms of the residual {@code y - A x}, as the iteration carries it along
 * @param gradientNorms the norms of what must vanish at the solution: for CGLS {@code A^H (y - A x) - damping^2 x}; for CG the
 *     residual itself
 * @param costs the square roots of what is minimised: for CGLS {@code sqrt(|y - A x|^2 + damping^2 |x|^2)}; for CG, whose
 *     functional has no root, the residual norms
 */
public record History(List<Double> residualNorms, List<Double> gradientNorms, List<Double> costs) {
    /** Checks that the lists have one length, and copies them. */
    public History {
        residualNorms = List.copyOf(residualNorms);
        gradientNorms = List.copyOf(gradientNorms);
        costs = List.copyOf(costs);
        if (residualNorms.isEmpty()
                || gradientNorms.size() != residualNorms.size()
                || costs.size() != residualNorms.size())
            throw new IllegalArgumentException("the lists have " + residualNorms.size() + ", " + gradientNorms.size()
                    + " and " + costs.size() + " entries; expected the same number, at least one");
    }

    /** How many iterations the history covers. */
    public int iterations() {
        return residualNorms.size() - 1;
    }

    /** The first and the last norms only: the lists are as long as the solver ran. */
    @Override
    public String toString() {
        return "History[iterations=" + iterations() + ", residualNorm " + residualNorms.getFirst() + " to "
                + residualNorms.getLast() + ", gradientNorm " + gradientNorms.getFirst() + " to "
                + gradientNorms.getLast() + "]";
    }
}

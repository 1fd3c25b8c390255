package io.penstock.solver;

import io.penstock.array.Vector;
import io.penstock.runtime.Buffer;
import io.penstock.runtime.Scope;
import java.util.function.Consumer;

/**
 * What a solver found.
 *
 * @param <X> the class of the unknown
 * @param x the solution, owned by the caller
 * @param iterations how many iterations were done in all, those before a resume included
 * @param stop why the solver stopped
 * @param history the norms of every iteration
 * @param residualNorm {@code |y - A x|}, computed anew from {@code x}: it shows how far the carried residual has drifted
 */
public record Solution<X extends Vector<X>>(X x, int iterations, Stop stop, History history, double residualNorm)
        implements Scope.Owned {
    /** Shows the buffers of {@link #x}, so that a scope or a rank's program can hand the solution over as a whole. */
    @Override
    public void forEachBuffer(Consumer<Buffer> visitor) {
        x.forEachBuffer(visitor);
    }

    /** One line without the elements of {@code x}. */
    @Override
    public String toString() {
        return "Solution[x in " + x.space() + ", iterations=" + iterations + ", stop=" + stop + ", residualNorm="
                + residualNorm + "]";
    }
}

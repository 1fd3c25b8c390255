package io.penstock.solver;

import io.penstock.array.Scalar;
import io.penstock.array.Vector;
import io.penstock.runtime.Buffer;
import io.penstock.runtime.Scope;
import java.util.function.Consumer;

/**
 * An eigenvalue and a vector that goes with it, as power iteration found them.
 *
 * @param <X> the class of the vector
 * @param value the eigenvalue; complex where the elements are
 * @param vector the eigenvector, of norm 1, owned by the caller
 * @param iterations how many iterations were done
 * @param stop why they ended
 */
public record Eigenpair<X extends Vector<X>>(Scalar value, X vector, int iterations, Stop stop) implements Scope.Owned {
    /** Shows the buffers of the vector, so that a scope or a rank's program can hand the pair over as a whole. */
    @Override
    public void forEachBuffer(Consumer<Buffer> visitor) {
        vector.forEachBuffer(visitor);
    }

    /** One line without the elements of the vector. */
    @Override
    public String toString() {
        return "Eigenpair[value=" + value + ", vector in " + vector.space() + ", iterations=" + iterations + ", stop="
                + stop + "]";
    }
}

package io.penstock.kernel.reach;

import io.penstock.kernel.ir.Operation;
import io.penstock.kernel.ir.Value;
import java.util.BitSet;
import java.util.List;

/**
 * The elements that one load or store reaches, all items taken together: no others, and each combination of indices only if
 * the indices are independent of one another.
 *
 * @param access the load or store
 * @param indices the range of each index
 * @param fitting the positions of indices that are known to be within their extents
 */
public record AccessReach(Value access, List<IndexRange> indices, BitSet fitting) {
    /** The reach of an access; list and set are copied. */
    public AccessReach {
        indices = List.copyOf(indices);
        fitting = (BitSet) fitting.clone();
    }

    /** The set of positions; not to be changed. */
    @Override
    public BitSet fitting() {
        return fitting;
    }

    /** Whether every index is known to be within its extent. */
    public boolean inside() {
        return fitting.cardinality() == indices.size();
    }

    /** The position of the view among the launch's values; -1 for an array that the launch was not given. */
    public int parameter() {
        return access.isGlobal() ? access.array().parameter().index() : -1;
    }

    /** Whether it changes elements. */
    public boolean writes() {
        return access.operation() != Operation.LOAD;
    }
}

package io.penstock.kernel;

import io.penstock.kernel.reach.AccessReach;
import io.penstock.kernel.reach.IndexRange;
import io.penstock.kernel.reach.Reach;
import java.util.ArrayList;
import java.util.List;

/**
 * The elements of a view that one load or store of a launch touches.
 *
 * @param parameter the view's position among the launch's values
 * @param writes whether it may change them
 * @param indices the range of each index
 */
record Touched(int parameter, boolean writes, List<IndexRange> indices) {
    Touched {
        indices = List.copyOf(indices);
    }

    /** What a launch touches of the views that it is given. */
    static List<Touched> of(Reach.Result reach) {
        List<Touched> all = new ArrayList<>();
        for (AccessReach access : reach.accesses())
            if (access.parameter() >= 0) all.add(new Touched(access.parameter(), access.writes(), access.indices()));
        return all;
    }
}

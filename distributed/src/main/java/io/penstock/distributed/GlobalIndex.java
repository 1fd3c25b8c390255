package io.penstock.distributed;

import io.penstock.array.NDArray;
import java.util.Arrays;

/** Single elements by their index in the global array. */
final class GlobalIndex {
    private GlobalIndex() {}

    /** Whether this rank holds the element; the index is checked, on every rank alike. */
    static boolean isOwn(DistributedSpace space, long[] index) {
        Layout layout = space.layout();
        if (index.length != layout.ndim())
            throw new IllegalArgumentException("index is " + Arrays.toString(index) + "; expected " + layout.ndim()
                    + " numbers for shape " + Layout.describe(layout.dims()));
        for (int k = 0; k < index.length; k++)
            if (index[k] < 0 || index[k] >= layout.dim(k))
                throw new IndexOutOfBoundsException(
                        "index " + index[k] + " along axis " + k + " does not lie within its extent " + layout.dim(k));
        return layout.isReplicated()
                || layout.owner(index[layout.axis()]) == space.ranks().rank();
    }

    /** The index within this rank's part. */
    static long[] local(DistributedSpace space, long[] index) {
        long[] at = index.clone();
        Layout layout = space.layout();
        if (!layout.isReplicated())
            at[layout.axis()] -= layout.start(space.ranks().rank());
        return at;
    }

    /** The one element, on every rank, as an array with as many dimensions; its owner broadcasts it. */
    static NDArray element(DistributedArray array, long[] index) {
        DistributedSpace space = array.space();
        Layout layout = space.layout();
        boolean mine = isOwn(space, index);
        NDArray element = array.local();
        long[] at = local(space, index);
        for (int k = 0; k < index.length && mine; k++) element = element.slice(k, at[k], at[k] + 1);
        if (layout.isReplicated()) return element;
        long[] one = new long[index.length];
        Arrays.fill(one, 1);
        if (!mine) element = space.local().reshape(one).empty();
        space.ranks().broadcast(element, layout.owner(index[layout.axis()]));
        return element;
    }
}

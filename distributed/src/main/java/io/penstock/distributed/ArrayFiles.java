package io.penstock.distributed;

import io.penstock.array.ArraySpace;
import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.array.Npz;
import io.penstock.runtime.Scope;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Reading distributed arrays from .npy files and .npz archives. */
final class ArrayFiles {
    private ArrayFiles() {}

    static DistributedArray load(DistributedSpace space, Path file) {
        check(space, NDArray.spaceOf(file), file.toString());
        Layout layout = space.layout();
        int rank = space.ranks().rank();
        try (Scope scope = Scope.open()) {
            NDArray part = layout.isReplicated()
                    ? NDArray.load(file)
                    : NDArray.loadSlab(file, layout.axis(), layout.start(rank), layout.end(rank));
            return scope.keep(DistributedArray.ofLocal(space, space.placed(inType(part, space.dtype()))));
        }
    }

    static DistributedArray load(DistributedSpace space, Path archive, String name) {
        try (Scope scope = Scope.open()) {
            @Nullable NDArray whole = space.ranks().rank() == 0 ? read(space, archive, name) : null;
            return scope.keep(DistributedArray.scatter(space, whole, 0));
        }
    }

    private static NDArray read(DistributedSpace space, Path archive, String name) {
        try (Npz arrays = Npz.open(archive)) {
            NDArray whole = arrays.get(name);
            check(space, whole.space(), name + " in " + archive);
            return inType(whole, space.dtype());
        }
    }

    private static NDArray inType(NDArray array, DType dtype) {
        return array.dtype() == dtype ? array : array.as(dtype);
    }

    private static void check(DistributedSpace space, ArraySpace found, String what) {
        if (!found.shape().equals(space.layout().shape()))
            throw new IllegalArgumentException(what + " has shape " + Layout.describe(found.dims()) + "; expected "
                    + Layout.describe(space.layout().dims()));
        if (found.dtype().promote(space.dtype()) != space.dtype())
            throw new IllegalArgumentException(what + " has elements of " + found.dtype() + "; expected "
                    + space.dtype() + " or a type whose values it holds");
    }
}

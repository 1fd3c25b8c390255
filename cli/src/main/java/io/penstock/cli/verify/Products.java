package io.penstock.cli.verify;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.comm.Communicator;
import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.DistributedSpace;
import io.penstock.distributed.Layout;
import io.penstock.distributed.Tiles;
import io.penstock.operator.Fredholm;
import io.penstock.operator.LinearOperator;
import io.penstock.operator.MultidimensionalConvolution;
import io.penstock.operator.TiledMatrix;
import java.util.LinkedHashMap;
import java.util.Map;

/** Products of matrices: on grids of ranks, slice by slice, and frequency by frequency. */
final class Products {
    private Products() {}

    static void register(Map<String, Mapping> mappings) {
        mappings.put("operator MPIMatrixMult", Products::tiled);
        mappings.put("operator Fredholm1", Operators.local(r -> Fredholm.of(r.array("G"), r.whole("nz"))));
        mappings.put("operator MPIFredholm1", Operators.distributed(Products::fredholm));
        mappings.put(
                "operator MDC",
                Operators.local(r -> convolution(r, r.array("G")).on(Operators.domain(r))));
        mappings.put("operator MPIMDC", Operators.distributed(Products::convolution));
    }

    /** The peer's two ways to multiply give the same; global matrices are recorded, and tiles made of them. */
    private static Map<String, Values> tiled(Reference r, Communicator ranks) {
        NDArray a = r.array("A");
        DType dtype = a.dtype();
        long columns = r.whole("M");
        Tiles tiles = Tiles.of(ranks.size(), a.dim(0), a.dim(1));
        DistributedArray matrix = tiles.ofGlobal(tiles.space(ranks, dtype), a);
        Map<String, Values> results = new LinkedHashMap<>();
        try (TiledMatrix product = TiledMatrix.of(tiles, matrix, columns)) {
            Tiles domain = product.domainTiles();
            Tiles range = product.rangeTiles();
            DistributedArray x = of(domain, (DistributedSpace) product.domain(), r.array("x"));
            DistributedArray u = of(range, (DistributedSpace) product.range(), r.array("u"));
            results.put("y", Values.of(range.allGather(product.forward(x))));
            results.put("v", Values.of(domain.allGather(product.adjoint(u))));
        }
        return results;
    }

    private static DistributedArray of(Tiles tiles, DistributedSpace space, NDArray whole) {
        return tiles.ofGlobal(space, whole.reshape(tiles.rows(), tiles.columns()));
    }

    /** The peer holds model and data whole on every rank; here they are cut by slice. */
    private static LinearOperator<DistributedArray, DistributedArray> fredholm(Reference r, Communicator ranks) {
        DistributedSpace space = new DistributedSpace(ranks, Layout.rows(ranks.size(), r.dims("dims")), r.dtype());
        return Fredholm.distributed(space, mine(r.array("G"), ranks));
    }

    private static LinearOperator<DistributedArray, DistributedArray> convolution(Reference r, Communicator ranks) {
        NDArray kernel = r.array("G");
        DistributedSpace space = new DistributedSpace(ranks, Layout.split(ranks.size(), 1, r.dims("dims")), r.dtype());
        return convolution(r, mine(kernel, ranks)).on(space, kernel.dim(0));
    }

    private static MultidimensionalConvolution convolution(Reference r, NDArray kernel) {
        MultidimensionalConvolution plan = MultidimensionalConvolution.of(kernel);
        boolean prescaled = r.hasParameter("prescaled") && r.flag("prescaled");
        if (prescaled) throw new NotCovered("a kernel that is scaled already");
        plan = plan.sampling(r.number("dt"), r.number("dr"));
        if (r.flag("conj")) plan = plan.conjugated();
        return r.flag("twosided") ? plan.twoSided() : plan;
    }

    private static NDArray mine(NDArray slices, Communicator ranks) {
        Layout layout = Layout.rows(ranks.size(), slices.dim(0));
        return slices.slice(0, layout.start(ranks.rank()), layout.end(ranks.rank()));
    }
}

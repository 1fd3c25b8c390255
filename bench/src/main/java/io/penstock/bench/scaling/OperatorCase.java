package io.penstock.bench.scaling;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.comm.Communicator;
import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.DistributedSpace;
import io.penstock.distributed.Layout;
import io.penstock.distributed.Tiles;
import io.penstock.operator.Laplacian;
import io.penstock.operator.LinearOperator;
import io.penstock.operator.MultidimensionalConvolution;
import io.penstock.operator.TiledMatrix;
import io.penstock.runtime.Device;

/** The application of an operator to an array of one value. */
abstract class OperatorCase implements ScalingCase {
    private final String name;
    private final String size;

    private OperatorCase(String name, String size) {
        this.name = name;
        this.size = size;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String size() {
        return size;
    }

    abstract LinearOperator<DistributedArray, DistributedArray> operator(Communicator ranks, Device device, int times);

    @Override
    public Step begin(Communicator ranks, Device device, int times) {
        var operator = operator(ranks, device, times);
        DistributedArray x = operator.domain().empty();
        DistributedArray y = operator.range().empty();
        fill(x);
        return new Step() {
            @Override
            public void run() {
                operator.forward(x, y);
            }

            @Override
            public double mark() {
                return y.norm();
            }

            @Override
            public void close() {
                operator.close();
            }
        };
    }

    /** Numbers that differ from row to row; of a matrix on a grid, one number. */
    private static void fill(DistributedArray x) {
        Layout layout = x.space().layout();
        if (layout.ndim() == 1) {
            x.fill(1);
            return;
        }
        NDArray part = x.local();
        long start = layout.start(x.space().ranks().rank());
        for (long row = 0; row < part.dim(0); row++) {
            double value = layout.axis() == 0 ? (start + row) % 7 : row % 7;
            part.slice(0, row, row + 1).fill(value);
        }
    }

    /** The Laplacian of a cube along all axes, cut into slabs: a halo of one plane to each neighbour. */
    static OperatorCase laplacian(long edge) {
        return new OperatorCase("laplacian", edge + "^3 f32") {
            @Override
            LinearOperator<DistributedArray, DistributedArray> operator(Communicator ranks, Device device, int times) {
                DistributedSpace space = DistributedSpace.rows(ranks, edge * times, edge, edge)
                        .as(DType.F32)
                        .on(device);
                return Laplacian.along(0, 1, 2).on(space);
            }
        };
    }

    /** A dense product of square matrices on a grid of ranks; more work means more columns. */
    static OperatorCase product(long n) {
        return new OperatorCase("summa", n + "^2 f32") {
            @Override
            LinearOperator<DistributedArray, DistributedArray> operator(Communicator ranks, Device device, int times) {
                Tiles tiles = Tiles.of(ranks.size(), n, n);
                DistributedArray matrix =
                        tiles.space(ranks, DType.F32).on(device).empty();
                matrix.fill(1.0 / n);
                return TiledMatrix.of(tiles, matrix, n * times);
            }
        };
    }

    /** A multidimensional convolution, its kernel cut by frequency; more work means more sources. */
    static OperatorCase convolution(ScalingSizes sizes) {
        String size = String.format(
                "%d frequencies, %d^2 stations, %d x %d",
                sizes.frequencies(), sizes.stations(), sizes.times(), sizes.columns());
        return new OperatorCase("mdc", size) {
            @Override
            LinearOperator<DistributedArray, DistributedArray> operator(Communicator ranks, Device device, int times) {
                long own = Layout.rows(ranks.size(), sizes.frequencies()).block(ranks.rank());
                NDArray kernel = NDArray.empty(device, DType.C64, own, sizes.stations() * times, sizes.stations());
                kernel.fill(1.0 / sizes.stations());
                DistributedSpace space = DistributedSpace.split(
                                ranks, 1, sizes.times(), sizes.stations(), sizes.columns())
                        .as(DType.F32)
                        .on(device);
                return MultidimensionalConvolution.of(kernel).twoSided().on(space, sizes.frequencies());
            }
        };
    }
}

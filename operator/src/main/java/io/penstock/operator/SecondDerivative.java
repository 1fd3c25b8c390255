package io.penstock.operator;

import io.penstock.array.ArraySpace;
import io.penstock.array.NDArray;
import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.DistributedSpace;
import java.util.Objects;

/**
 * The second derivative along an axis, by the three-point difference quotient; a recipe, from which {@link #on} makes operators.
 *
 * <p>With sampling {@code h}, centered is {@code (x[i-1] - 2 x[i] + x[i+1]) / h^2}; forward takes the three points from {@code i}
 * on, backward those up to {@code i}. Where the formula would leave the axis the result is zero, or, for centered ones with
 * {@code edge}, the quotient over the three points nearest to the end.
 *
 * <p>Over ranks, one message goes to each neighbour that needs rows, with exactly those rows.
 *
 * @param axis along which axis; negative counts from the end
 * @param sampling the distance between neighbours, not zero
 * @param kind which neighbours are looked at
 * @param edge whether a centered quotient has formulas of its own at the ends
 */
public record SecondDerivative(int axis, double sampling, Difference kind, boolean edge) {
    /** Checks the parameters. */
    public SecondDerivative {
        Objects.requireNonNull(kind, "kind is null");
        Axes.requireSampling(sampling);
    }

    /** Centered, sampling 1, zero at the ends. */
    public static SecondDerivative along(int axis) {
        return new SecondDerivative(axis, 1, Difference.CENTERED, false);
    }

    /** Centered, sampling 1, zero at the ends, on arrays. */
    public static LinearOperator<NDArray, NDArray> of(ArraySpace space, int axis) {
        return along(axis).on(space);
    }

    /** Centered, sampling 1, zero at the ends, on distributed arrays. */
    public static LinearOperator<DistributedArray, DistributedArray> of(DistributedSpace space, int axis) {
        return along(axis).on(space);
    }

    /** With another distance between neighbours. */
    public SecondDerivative sampling(double distance) {
        return new SecondDerivative(axis, distance, kind, edge);
    }

    /** With another choice of neighbours. */
    public SecondDerivative kind(Difference other) {
        return new SecondDerivative(axis, sampling, other, edge);
    }

    /** With or without formulas of its own at the ends. */
    public SecondDerivative edge(boolean own) {
        return new SecondDerivative(axis, sampling, kind, own);
    }

    /**
     * The operator on arrays.
     *
     * @throws IllegalArgumentException when they have no such axis or their elements are integers
     */
    public LinearOperator<NDArray, NDArray> on(ArraySpace space) {
        return LocalStencil.of(toString(), stencil(space.dims()), Axes.requireFloating(space));
    }

    /**
     * The operator on distributed arrays, whichever axis they are cut along.
     *
     * @throws IllegalArgumentException when they have no such axis or their elements are integers
     */
    public LinearOperator<DistributedArray, DistributedArray> on(DistributedSpace space) {
        Axes.requireFloating(space.dtype());
        return DistributedStencil.of(toString(), stencil(space.layout().dims()), space);
    }

    private ComplexStencil stencil(long[] shape) {
        int k = Axes.index(axis, shape.length);
        return ComplexStencil.real(Stencil.along(k, band(shape[k]), shape));
    }

    /** The derivative along an axis of {@code n} elements. */
    Band band(long n) {
        long first = switch (kind) {
            case FORWARD -> 0;
            case BACKWARD -> -2;
            case CENTERED -> -1;
        };
        boolean ends = edge && kind == Difference.CENTERED && n >= 3;
        Band differences = Band.square(
                n, BandRow.of(first, 1, -2, 1), i -> ends ? BandRow.of(i == 0 ? 0 : -2, 1, -2, 1) : BandRow.EMPTY);
        return differences.scaled(1 / (sampling * sampling));
    }
}

package io.penstock.operator;

import io.penstock.array.ArraySpace;
import io.penstock.array.NDArray;
import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.DistributedSpace;
import java.util.Objects;

/**
 * The first derivative along an axis, by difference quotients; a recipe, from which {@link #on} makes operators.
 *
 * <pre>{@code
 * var d = FirstDerivative.along(0).sampling(0.004).points(5).edge(true).on(space);
 * }</pre>
 *
 * <p>With sampling {@code h}, forward is {@code (x[i+1] - x[i]) / h}, backward {@code (x[i] - x[i-1]) / h}, centered over 3
 * points {@code (x[i+1] - x[i-1]) / 2h} and over 5 points {@code (x[i-2] - 8 x[i-1] + 8 x[i+1] - x[i+2]) / 12h}. Where such a
 * formula would leave the axis the result is zero, or, for centered ones with {@code edge}, a one-sided two-point quotient at the
 * very ends and a centered three-point one beside them.
 *
 * <p>Over ranks, one message goes to each neighbour that needs rows, with exactly those rows.
 *
 * @param axis along which axis; negative counts from the end
 * @param sampling the distance between neighbours, not zero
 * @param kind which neighbours are looked at
 * @param points over how many points a centered quotient is taken, 3 or 5
 * @param edge whether a centered quotient has formulas of its own at the ends
 */
public record FirstDerivative(int axis, double sampling, Difference kind, int points, boolean edge) {
    /** Checks the parameters. */
    public FirstDerivative {
        Objects.requireNonNull(kind, "kind is null");
        Axes.requireSampling(sampling);
        if (points != 3 && points != 5) throw new IllegalArgumentException("points is " + points + "; expected 3 or 5");
    }

    /** Centered over 3 points, sampling 1, zero at the ends. */
    public static FirstDerivative along(int axis) {
        return new FirstDerivative(axis, 1, Difference.CENTERED, 3, false);
    }

    /** Centered over 3 points, sampling 1, zero at the ends, on arrays. */
    public static LinearOperator<NDArray, NDArray> of(ArraySpace space, int axis) {
        return along(axis).on(space);
    }

    /** Centered over 3 points, sampling 1, zero at the ends, on distributed arrays. */
    public static LinearOperator<DistributedArray, DistributedArray> of(DistributedSpace space, int axis) {
        return along(axis).on(space);
    }

    /** With another distance between neighbours. */
    public FirstDerivative sampling(double distance) {
        return new FirstDerivative(axis, distance, kind, points, edge);
    }

    /** With another choice of neighbours. */
    public FirstDerivative kind(Difference other) {
        return new FirstDerivative(axis, sampling, other, points, edge);
    }

    /** Over another number of points, which matters to centered quotients only. */
    public FirstDerivative points(int count) {
        return new FirstDerivative(axis, sampling, kind, count, edge);
    }

    /** With or without formulas of its own at the ends. */
    public FirstDerivative edge(boolean own) {
        return new FirstDerivative(axis, sampling, kind, points, own);
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
        return switch (kind) {
            case FORWARD ->
                Band.square(n, BandRow.of(0, -1, 1), i -> BandRow.EMPTY).scaled(1 / sampling);
            case BACKWARD ->
                Band.square(n, BandRow.of(-1, -1, 1), i -> BandRow.EMPTY).scaled(1 / sampling);
            case CENTERED ->
                points == 3
                        ? Band.square(n, THREE, i -> edge ? nearEnd(i, n) : BandRow.EMPTY)
                                .scaled(1 / (2 * sampling))
                        : Band.square(n, FIVE, i -> edge ? nearEnd(i, n).scaled(6) : BandRow.EMPTY)
                                .scaled(1 / (12 * sampling));
        };
    }

    private static final BandRow THREE = BandRow.of(-1, -1, 0, 1);
    private static final BandRow FIVE = BandRow.of(-2, 1, -8, 0, 8, -1);

    /** Twice the derivative near the end of an axis. */
    private static BandRow nearEnd(long i, long n) {
        if (n < 2) return BandRow.EMPTY;
        if (i == 0) return BandRow.of(0, -2, 2);
        return i == n - 1 ? BandRow.of(-1, -2, 2) : THREE;
    }
}

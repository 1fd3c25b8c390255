package io.penstock.operator;

import io.penstock.array.ArraySpace;
import io.penstock.array.NDArray;
import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.DistributedSpace;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * A weighted sum of second derivatives along several axes; a recipe, from which {@link #on} makes operators.
 *
 * <pre>{@code
 * var l = Laplacian.along(0, 1).weights(1, 3).sampling(10, 4).on(space);
 * }</pre>
 *
 * <p>All derivatives are taken in one pass: each element is read from and written to memory once. Over ranks, one message goes to
 * each neighbour that needs rows, with exactly those rows.
 *
 * @param axes along which axes, none twice; negative ones count from the end
 * @param weights the weight of the derivative along each of them
 * @param sampling the distance between neighbours along each of them, not zero
 * @param kind which neighbours {@link SecondDerivative} looks at
 * @param edge whether a centered derivative has formulas of its own at the ends
 */
public record Laplacian(
        List<Integer> axes, List<Double> weights, List<Double> sampling, Difference kind, boolean edge) {
    /** Checks the parameters against each other. */
    public Laplacian {
        axes = List.copyOf(axes);
        weights = List.copyOf(weights);
        sampling = List.copyOf(sampling);
        Objects.requireNonNull(kind, "kind is null");
        if (axes.isEmpty()) throw new IllegalArgumentException("axes is empty; expected one axis or more");
        if (weights.size() != axes.size() || sampling.size() != axes.size())
            throw new IllegalArgumentException("weights is " + weights + " and sampling " + sampling
                    + "; expected one entry for each of the axes " + axes);
        sampling.forEach(Axes::requireSampling);
    }

    /** Weights and sampling 1, centered, zero at the ends. */
    public static Laplacian along(int... axes) {
        double[] ones = new double[axes.length];
        Arrays.fill(ones, 1);
        return new Laplacian(
                Arrays.stream(axes).boxed().toList(), boxed(ones), boxed(ones), Difference.CENTERED, false);
    }

    /** Along all axes, with weights and sampling 1, centered, zero at the ends, on arrays. */
    public static LinearOperator<NDArray, NDArray> of(ArraySpace space) {
        return along(Axes.all(space.shape().size())).on(space);
    }

    /** Along all axes, with weights and sampling 1, centered, zero at the ends, on distributed arrays. */
    public static LinearOperator<DistributedArray, DistributedArray> of(DistributedSpace space) {
        return along(Axes.all(space.layout().ndim())).on(space);
    }

    /** With other weights, one for each axis. */
    public Laplacian weights(double... each) {
        return new Laplacian(axes, boxed(each), sampling, kind, edge);
    }

    /** With other distances between neighbours, one for each axis. */
    public Laplacian sampling(double... each) {
        return new Laplacian(axes, weights, boxed(each), kind, edge);
    }

    /** With another choice of neighbours. */
    public Laplacian kind(Difference other) {
        return new Laplacian(axes, weights, sampling, other, edge);
    }

    /** With or without formulas of its own at the ends. */
    public Laplacian edge(boolean own) {
        return new Laplacian(axes, weights, sampling, kind, own);
    }

    private static List<Double> boxed(double[] values) {
        return Arrays.stream(values).boxed().toList();
    }

    /**
     * The operator on arrays.
     *
     * @throws IllegalArgumentException when they lack one of the axes or their elements are integers
     */
    public LinearOperator<NDArray, NDArray> on(ArraySpace space) {
        return LocalStencil.of(toString(), stencil(space.dims()), Axes.requireFloating(space));
    }

    /**
     * The operator on distributed arrays, whichever axis they are cut along.
     *
     * @throws IllegalArgumentException when they lack one of the axes or their elements are integers
     */
    public LinearOperator<DistributedArray, DistributedArray> on(DistributedSpace space) {
        Axes.requireFloating(space.dtype());
        return DistributedStencil.of(toString(), stencil(space.layout().dims()), space);
    }

    private ComplexStencil stencil(long[] shape) {
        int[] indices = Axes.distinct(axes, shape.length);
        Stencil sum = Stencil.none(shape, shape);
        for (int i = 0; i < indices.length; i++) {
            int k = indices[i];
            Band derivative = new SecondDerivative(k, sampling.get(i), kind, edge).band(shape[k]);
            sum = sum.plus(k, derivative.scaled(weights.get(i)));
        }
        return ComplexStencil.real(sum);
    }
}

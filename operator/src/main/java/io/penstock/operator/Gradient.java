package io.penstock.operator;

import io.penstock.array.ArraySpace;
import io.penstock.array.NDArray;
import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.DistributedSpace;
import io.penstock.distributed.StackedArray;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The first derivatives along all axes, stacked; a recipe, from which {@link #on} makes operators.
 *
 * <p>Part {@code k} of a result is the {@link FirstDerivative} along axis {@code k}; the adjoint adds up the adjoints. Over ranks,
 * only the derivative along the axis that the arrays are cut along sends anything.
 *
 * @param sampling the distance between neighbours along each axis, not zero, or one entry for all axes
 * @param kind which neighbours are looked at
 * @param edge whether a centered quotient has formulas of its own at the ends
 */
public record Gradient(List<Double> sampling, Difference kind, boolean edge) {
    /** Checks the parameters. */
    public Gradient {
        sampling = List.copyOf(sampling);
        Objects.requireNonNull(kind, "kind is null");
        if (sampling.isEmpty())
            throw new IllegalArgumentException("sampling is empty; expected an entry for each axis");
        sampling.forEach(Axes::requireSampling);
    }

    /** Centered over 3 points, zero at the ends; with a distance between neighbours for each axis, or one for all. */
    public static Gradient sampled(double... sampling) {
        return new Gradient(Arrays.stream(sampling).boxed().toList(), Difference.CENTERED, false);
    }

    /** Centered over 3 points, sampling 1, zero at the ends, on arrays. */
    public static LinearOperator<NDArray, StackedArray> of(ArraySpace space) {
        return sampled(1).on(space);
    }

    /** Centered over 3 points, sampling 1, zero at the ends, on distributed arrays. */
    public static LinearOperator<DistributedArray, StackedArray> of(DistributedSpace space) {
        return sampled(1).on(space);
    }

    /** With another choice of neighbours. */
    public Gradient kind(Difference other) {
        return new Gradient(sampling, other, edge);
    }

    /** With or without formulas of its own at the ends. */
    public Gradient edge(boolean own) {
        return new Gradient(sampling, kind, own);
    }

    /**
     * The operator on arrays, into a stack of arrays.
     *
     * @throws IllegalArgumentException when there are not as many samplings as axes, or the elements are integers
     */
    public LinearOperator<NDArray, StackedArray> on(ArraySpace space) {
        List<AccumulatingOperator<NDArray>> derivatives = new ArrayList<>();
        for (int k = 0; k < space.shape().size(); k++)
            derivatives.add(LocalStencil.of(toString(), along(k, space.dims()), Axes.requireFloating(space)));
        return new GradientStack<>(NDArray.class, space, derivatives);
    }

    /**
     * The operator on distributed arrays, whichever axis they are cut along, into a stack of distributed arrays.
     *
     * @throws IllegalArgumentException when there are not as many samplings as axes, or the elements are integers
     */
    public LinearOperator<DistributedArray, StackedArray> on(DistributedSpace space) {
        Axes.requireFloating(space.dtype());
        List<AccumulatingOperator<DistributedArray>> derivatives = new ArrayList<>();
        for (int k = 0; k < space.layout().ndim(); k++)
            derivatives.add(
                    DistributedStencil.of(toString(), along(k, space.layout().dims()), space));
        return new GradientStack<>(DistributedArray.class, space, derivatives);
    }

    /**
     * The operator on arrays into one array, with an axis before the others along which the derivatives lie.
     *
     * @throws IllegalArgumentException when there are not as many samplings as axes, or the elements are integers
     */
    public LinearOperator<NDArray, NDArray> intoOneArray(ArraySpace space) {
        int n = space.shape().size();
        long[] domain = new long[n + 1];
        domain[0] = 1;
        System.arraycopy(space.dims(), 0, domain, 1, n);
        long[] range = domain.clone();
        range[0] = n;
        Stencil sum = Stencil.none(domain, range);
        for (int k = 0; k < n; k++) {
            long place = k;
            @Nullable Band[] factors = new @Nullable Band[n + 1];
            factors[0] = Band.of(n, 1, n, n, BandRow.EMPTY, i -> i == place ? BandRow.of(-i, 1) : BandRow.EMPTY);
            factors[k + 1] = derivative(k, n).band(domain[k + 1]);
            sum = sum.plus(factors);
        }
        return LocalStencil.of(toString(), ComplexStencil.real(sum), Axes.requireFloating(space), space.reshape(range));
    }

    private ComplexStencil along(int k, long[] shape) {
        return ComplexStencil.real(Stencil.along(k, derivative(k, shape.length).band(shape[k]), shape));
    }

    private FirstDerivative derivative(int k, int axes) {
        if (sampling.size() != 1 && sampling.size() != axes)
            throw new IllegalArgumentException(
                    "sampling is " + sampling + "; expected one entry or " + axes + ", one for each axis");
        return new FirstDerivative(k, sampling.get(sampling.size() == 1 ? 0 : k), kind, 3, edge);
    }
}

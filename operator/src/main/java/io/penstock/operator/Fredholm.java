package io.penstock.operator;

import io.penstock.array.ArraySpace;
import io.penstock.array.NDArray;
import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.DistributedSpace;
import io.penstock.distributed.Layout;
import io.penstock.kernel.RangedKernel;
import io.penstock.runtime.Device;
import io.penstock.runtime.Scope;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A Fredholm integral of the first kind, sampled: a matrix product for each slice, such as a frequency,
 * {@code y[k, i, z] = sum over j of g[k, i, j] x[k, j, z]}.
 */
public final class Fredholm extends ArrayOperator {
    /** From so many columns on, a device takes the slices one after the other, as products of matrices. */
    private static final long MANY_COLUMNS = 32;

    private final NDArray kernel;
    private @Nullable NDArray turned;

    private Fredholm(ArraySpace domain, ArraySpace range, NDArray kernel) {
        super(domain, range);
        this.kernel = kernel;
    }

    /**
     * The operator on arrays of shape (slices, {@code m}, columns), to arrays of shape (slices, {@code n}, columns).
     *
     * @param kernel the integral's kernel, of shape (slices, {@code n}, {@code m}); shared, not copied
     * @param columns how many columns each slice has
     * @throws IllegalArgumentException when {@code kernel} has not three dimensions or holds integers, or {@code columns} is negative
     */
    public static Fredholm of(NDArray kernel, long columns) {
        if (kernel.ndim() != 3 || kernel.dtype().isInteger())
            throw new IllegalArgumentException("kernel is of shape " + Arrays.toString(kernel.shape()) + " and type "
                    + kernel.dtype() + "; expected three dimensions of real or complex numbers");
        if (columns < 0) throw new IllegalArgumentException("columns is " + columns + "; expected 0 or more");
        long slices = kernel.dim(0);
        return new Fredholm(
                kernel.space().reshape(slices, kernel.dim(2), columns),
                kernel.space().reshape(slices, kernel.dim(1), columns),
                kernel);
    }

    /**
     * The operator on arrays that are cut along their first axis, the slices; each rank integrates its own, and nothing is sent.
     *
     * @param domain the space of the arguments, of shape (slices, {@code m}, columns)
     * @param kernel the kernel for this rank's slices, of shape (own slices, {@code n}, {@code m}), on the device of the space
     * @throws IllegalArgumentException when they do not go together
     */
    public static LinearOperator<DistributedArray, DistributedArray> distributed(
            DistributedSpace domain, NDArray kernel) {
        Layout layout = domain.layout();
        if (layout.ndim() != 3 || layout.axis() != 0)
            throw new IllegalArgumentException(
                    "domain is " + domain + "; expected three dimensions, cut along the first");
        Fredholm local = of(kernel, layout.dim(2));
        return Blockwise.of(domain, domain.with(layout.withExtent(1, kernel.dim(1))), local);
    }

    @Override
    void ordered(Runnable loops, NDArray given, NDArray result) {
        loops.run(); // products and kernels do it, and know of the integral's kernel
    }

    @Override
    void forwardPacked(NDArray x, NDArray y) {
        if (isBatch(y)) batch(y, turned(), x, 1);
        else for (long k = 0; k < kernel.dim(0); k++) kernel.at(0, k).matmul(x.at(0, k), y.at(0, k));
    }

    @Override
    void adjointPacked(NDArray y, NDArray x) {
        if (isBatch(x)) batch(x, kernel, y, -1);
        else for (long k = 0; k < kernel.dim(0); k++) kernel.at(0, k).adjointMatmul(y.at(0, k), x.at(0, k));
    }

    private static boolean isBatch(NDArray result) {
        return !result.device().equals(Device.jvm()) && result.dim(2) < MANY_COLUMNS;
    }

    private static void batch(NDArray y, NDArray a, NDArray x, double sign) {
        if (y.size() == 0) return;
        RangedKernel kernel = FredholmKernels.of(y.dtype()).over(y.dim(0), y.dim(2), y.dim(1));
        if (y.dtype().isComplex()) kernel.launch(y.device().queue(), y, a, x, sign);
        else kernel.launch(y.device().queue(), y, a, x);
    }

    /** A copy of the kernel with its last two axes exchanged, so that neighbouring items read neighbouring elements. */
    private NDArray turned() {
        NDArray kept = turned;
        if (kept == null)
            turned = kept = Scope.outside(() -> kernel.transpose(0, 2, 1).copy());
        return kept;
    }

    @Override
    public LinearOperator<NDArray, NDArray> complex() {
        return Operands.isComplex(domain())
                ? this
                : of(
                        Scope.outside(() -> kernel.as(kernel.dtype().complex())),
                        domainSpace().dims()[2]);
    }

    @Override
    public void close() {
        super.close();
        if (turned != null) turned.close();
        turned = null;
    }
}

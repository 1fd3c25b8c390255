package io.penstock.array;

import io.penstock.kernel.ElementFunction;
import io.penstock.kernel.MapBody;

/** Linear combinations as kernels, with the bits that the host's loops give. */
final class DeviceCombination {
    // Made once each, so that their kernels are looked up quickly. Complex elements with real factors are pairs of
    // reals.

    private static final ElementFunction SCALED_F32 = ElementFunction.of((MapBody.OfFloats2) (a, x) -> a * x);
    private static final ElementFunction SCALED_F64 = ElementFunction.of((MapBody.OfDoubles2) (a, x) -> a * x);
    private static final ElementFunction ADDED_F32 = ElementFunction.of((MapBody.OfFloats3) (a, x, y) -> a * x + y);
    private static final ElementFunction ADDED_F64 = ElementFunction.of((MapBody.OfDoubles3) (a, x, y) -> a * x + y);
    private static final ElementFunction COMBINED_F32 =
            ElementFunction.of((MapBody.OfFloats4) (a, x, b, y) -> a * x + b * y);
    private static final ElementFunction COMBINED_F64 =
            ElementFunction.of((MapBody.OfDoubles4) (a, x, b, y) -> a * x + b * y);
    private static final ElementFunction SCALED_COMPLEX =
            ElementFunction.of((ComplexBody.OfComplex2) (a, x) -> x.times(a));
    private static final ElementFunction ADDED_COMPLEX =
            ElementFunction.of((ComplexBody.OfComplex3) (a, x, y) -> x.times(a).plus(y));

    private DeviceCombination() {}

    private static boolean isSingle(NDArray y) {
        return y.dtype().real() == DType.F32;
    }

    static void scale(NDArray y, double alpha) {
        NDArray reals = y.reals();
        ElementKernels.map(isSingle(y) ? SCALED_F32 : SCALED_F64, reals, alpha, reals);
    }

    static void scale(NDArray y, Complex alpha) {
        ElementKernels.map(SCALED_COMPLEX, y, alpha, y);
    }

    /** {@code y = alpha * x + beta * y}. */
    static void axpby(double alpha, NDArray x, double beta, NDArray y) {
        NDArray to = y.reals();
        NDArray from = x.reals();
        boolean single = isSingle(y);
        if (beta == 0) ElementKernels.map(single ? SCALED_F32 : SCALED_F64, to, alpha, from);
        else if (beta == 1) ElementKernels.map(single ? ADDED_F32 : ADDED_F64, to, alpha, from, to);
        else ElementKernels.map(single ? COMBINED_F32 : COMBINED_F64, to, alpha, from, beta, to);
    }

    /** {@code y = alpha * x + y}. */
    static void axpy(Complex alpha, NDArray x, NDArray y) {
        ElementKernels.map(ADDED_COMPLEX, y, alpha, x, y);
    }
}

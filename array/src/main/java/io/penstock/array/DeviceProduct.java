package io.penstock.array;

import io.penstock.kernel.Doubles;
import io.penstock.kernel.Floats;
import io.penstock.kernel.Kernel;
import io.penstock.kernel.WorkItem;
import io.penstock.runtime.Queue;

/**
 * Matrix products as kernels. With a vector each row is summed up in pieces; with a matrix an item sums up one element, in double
 * precision. Complex products are products of parts.
 */
final class DeviceProduct {
    private DeviceProduct() {}

    static void addF32(WorkItem at, Floats c, Floats a, Floats b, double factor, int add) {
        double sum = 0;
        for (long k = 0; k < a.columns(); k++) sum += (double) a.get(at.y(), k) * b.get(k, at.x());
        double before = add != 0 ? c.get(at.y(), at.x()) : 0;
        c.set(at.y(), at.x(), (float) (before + factor * sum));
    }

    static void addF64(WorkItem at, Doubles c, Doubles a, Doubles b, double factor, int add) {
        double sum = 0;
        for (long k = 0; k < a.columns(); k++) sum += a.get(at.y(), k) * b.get(k, at.x());
        double before = add != 0 ? c.get(at.y(), at.x()) : 0;
        c.set(at.y(), at.x(), before + factor * sum);
    }

    /** {@code c = a b}, with the elements of {@code a} conjugated if asked; all of one floating-point type, none empty. */
    static void product(NDArray c, NDArray a, NDArray b, boolean conjugate) {
        if (c.dim(1) == 1) {
            NDArray column = b.at(1, 0).broadcastTo(a.shape());
            NDArray left = conjugate ? a : column;
            NDArray right = conjugate ? column : a;
            boolean turned = c.dtype().isComplex() && !conjugate;
            try (NDArray sums = DeviceReduction.products(new boolean[] {false, true}, left, right, turned)) {
                c.at(1, 0).set(sums.at(1, 0));
            }
            return;
        }
        if (!c.dtype().isComplex()) {
            add(c, a, b, 1, false);
            return;
        }
        double sign = conjugate ? -1 : 1;
        add(c.real(), a.real(), b.real(), 1, false);
        add(c.real(), a.imaginary(), b.imaginary(), -sign, true);
        add(c.imaginary(), a.real(), b.imaginary(), 1, false);
        add(c.imaginary(), a.imaginary(), b.real(), sign, true);
    }

    private static void add(NDArray c, NDArray a, NDArray b, double factor, boolean add) {
        Queue queue = ElementKernels.requireCompiler(Placement.of(c, a, b)).queue();
        Kernel kernel = c.dtype() == DType.F32 ? Kernel.of(DeviceProduct::addF32) : Kernel.of(DeviceProduct::addF64);
        kernel.over(c.shape()).launch(queue, c, a, b, factor, add ? 1 : 0);
    }
}

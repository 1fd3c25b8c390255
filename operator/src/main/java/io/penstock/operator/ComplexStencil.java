package io.penstock.operator;

import org.jspecify.annotations.Nullable;

/**
 * A map {@code re + sign i im} between N-dimensional arrays; without {@code im} a real one, which acts on real and complex
 * arrays alike.
 *
 * @param re the real part of its coefficients
 * @param im the imaginary part up to its sign, or null where all coefficients are real
 * @param sign 1 or -1
 */
record ComplexStencil(Stencil re, @Nullable Stencil im, int sign) {
    static ComplexStencil real(Stencil re) {
        return new ComplexStencil(re, null, 1);
    }

    /** The conjugate transpose. */
    ComplexStencil adjoint() {
        return new ComplexStencil(re.transposed(), im == null ? null : im.transposed(), -sign);
    }

    boolean leavesAlone(int axis) {
        return re.leavesAlone(axis) && (im == null || im.leavesAlone(axis));
    }

    ComplexStencil withExtent(int axis, long extent) {
        return new ComplexStencil(re.withExtent(axis, extent), im == null ? null : im.withExtent(axis, extent), sign);
    }

    ComplexStencil window(int axis, long inFrom, long inTo, long from, long to) {
        return new ComplexStencil(
                re.window(axis, inFrom, inTo, from, to),
                im == null ? null : im.window(axis, inFrom, inTo, from, to),
                sign);
    }

    Reach reach(int axis) {
        Reach own = re.reach(axis);
        return im == null ? own : Reach.either(own, im.reach(axis), re.range()[axis]);
    }
}

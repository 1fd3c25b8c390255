package io.penstock.operator;

import io.penstock.array.ArraySpace;
import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.kernel.RangedKernel;
import io.penstock.runtime.Device;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Stencil} on a device as one kernel, which reads and writes each element once. For large arrays a kernel is made that has the
 * stencil's taps as constants, unless these are too many; others have the kernel that reads them from memory. Both find the same bits.
 */
final class PatternStencil {
    /** The fewest elements of a result that a kernel of its own is made for: compiling one takes longer than many runs over fewer. */
    private static final long FEWEST = 1 << 18;

    /** The most elements that an element may take: more would take long to compile. */
    private static final int MOST_PLACES = 128;

    /** The most that may have to be told apart for those. */
    private static final int MOST_CHOICES = 1 << 14;

    private final StencilPattern pattern;
    private final Device device;
    private final boolean generated;
    private final long[] in = new long[StencilPattern.AXES];
    private final long[] out = new long[StencilPattern.AXES];
    private final long[] tails = new long[StencilPattern.AXES];
    private final @Nullable Form[] forms = new @Nullable Form[2];

    /** A kernel with what it takes. */
    private interface Form {
        void launch(NDArray x, NDArray y);
    }

    private PatternStencil(StencilPattern pattern, List<SweepAxis> axes, Device device, long fewest) {
        this.pattern = pattern;
        this.device = device;
        long elements = 1;
        for (int k = 0; k < out.length; k++) {
            SweepAxis axis = axes.get(k);
            in[k] = axis.inExtent();
            out[k] = axis.extent();
            tails[k] = axis.uniformTo() - axis.from();
            elements *= out[k];
        }
        int places = elements < fewest ? 0 : pattern.places();
        generated = elements >= fewest
                && places <= MOST_PLACES
                && places * (long) pattern.cells().size() <= MOST_CHOICES;
    }

    /** The stencil on arrays of a space's type and device; null where it takes more than one kernel. */
    static @Nullable PatternStencil of(Stencil stencil, ArraySpace domain) {
        return of(stencil, domain, FEWEST);
    }

    /** The same, with a kernel made for results of so many elements or more. */
    static @Nullable PatternStencil of(Stencil stencil, ArraySpace domain, long fewest) {
        if (stencil.terms().isEmpty()
                || Arrays.stream(stencil.range()).anyMatch(extent -> extent == 0)
                || Arrays.stream(stencil.domain()).anyMatch(extent -> extent == 0)) return null;
        List<SweepAxis> axes = StencilPattern.padded(SweepAxis.merged(stencil, domain.dtype(), null));
        if (axes == null) return null;
        StencilPattern pattern = StencilPattern.of(domain.dtype().real() == DType.F64, axes);
        return pattern == null ? null : new PatternStencil(pattern, axes, domain.device(), fewest);
    }

    /** {@code y = S x}, or {@code y += S x}; contiguous arrays of the stencil's domain and range. */
    void apply(NDArray x, NDArray y, boolean accumulate) {
        int which = accumulate ? 1 : 0;
        Form form = forms[which];
        if (form == null) forms[which] = form = generated ? generated(accumulate) : general(accumulate);
        form.launch(x.reals(), y.reals().reshape(out));
    }

    private Form generated(boolean accumulate) {
        RangedKernel kernel = PatternKernels.onDevice(pattern, accumulate).over(out);
        return (x, y) -> kernel.launch(y.device().queue(), y, x.reshape(in), tails[0], tails[1], tails[2]);
    }

    private Form general(boolean accumulate) {
        PatternTable table = PatternTable.of(pattern, in, tails, device);
        RangedKernel kernel = table.kernel().over(out);
        long[] elements = {in[0] * in[1] * in[2]};
        int add = accumulate ? 1 : 0;
        return (x, y) -> kernel.launch(
                y.device().queue(),
                y,
                x.reshape(elements),
                table.starts(),
                table.offsets(),
                table.taps(),
                table.layout(),
                add);
    }
}

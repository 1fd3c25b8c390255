package io.penstock.operator;

import io.penstock.operator.StencilPattern.Kinds;
import io.penstock.operator.StencilPattern.Tap;
import java.lang.classfile.Label;
import java.util.List;

/**
 * The kernel of a {@link StencilPattern} in which an element first finds its kind, and then adds up what the kind has. Of a second derivative along x:
 *
 * <pre>{@code
 * if (x < 1) {
 *     result.set(z, y, x, 0);
 * } else if (x < tailX) {
 *     float sum = of.get(z, y, x - 1) * 1;
 *     sum = Math.fma(of.get(z, y, x), -2, sum);
 *     sum = Math.fma(of.get(z, y, x + 1), 1, sum);
 *     result.set(z, y, x, sum);
 * } else result.set(z, y, x, 0);
 * }</pre>
 *
 * <p>For rows in vectors: those that are alike have no condition in them. The comparisons say enough of the indices that no access needs a check.
 */
final class KindCode {
    private final StencilPattern pattern;
    private final boolean accumulate;
    private final StencilCode code;

    private KindCode(StencilPattern pattern, boolean accumulate, StencilCode code) {
        this.pattern = pattern;
        this.accumulate = accumulate;
        this.code = code;
    }

    /**
     * The class file.
     *
     * @param accumulate whether the sums are added to what the result holds
     */
    static byte[] of(StencilPattern pattern, boolean accumulate) {
        return StencilCode.of(pattern.wide(), code -> new KindCode(pattern, accumulate, code).kinds(0, 0));
    }

    /** Finds the kind along an axis, from the first on, and goes on with the next axis. */
    private void kinds(int axis, int cell) {
        if (axis == StencilPattern.AXES) {
            element(pattern.cells().get(cell));
            return;
        }
        Kinds kinds = pattern.axes().get(axis);
        for (int c = 0; c < kinds.count(); c++) {
            boolean last = c == kinds.count() - 1;
            Label next = code.label();
            if (!last) code.jumpBeyond(axis, kinds, c, next);
            kinds(axis + 1, cell * kinds.count() + c);
            if (!last) code.bind(next);
        }
    }

    private void element(List<Tap> taps) {
        if (accumulate) code.beginWithResult();
        else if (taps.isEmpty()) code.begin(0);
        boolean begun = accumulate;
        for (Tap tap : taps) {
            if (begun) code.add(tap);
            else code.beginWith(tap);
            begun = true;
        }
        code.end();
    }
}

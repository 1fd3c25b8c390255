package io.penstock.operator;

import io.penstock.operator.StencilPattern.Kinds;
import io.penstock.operator.StencilPattern.Tap;
import java.lang.classfile.Label;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The kernel of a {@link StencilPattern} in which an element adds up what any kind has, each where its own kind has it. Of a second derivative along x:
 *
 * <pre>{@code
 * float sum = -0f;
 * if (x >= 1 && x < tailX) sum = Math.fma(of.get(z, y, x - 1), 1, sum);
 * if (x >= 1 && x < tailX) sum = Math.fma(of.get(z, y, x), -2, sum);
 * if (x >= 1 && x < tailX) sum = Math.fma(of.get(z, y, x + 1), 1, sum);
 * if (x < 1 || x >= tailX) sum = 0;
 * result.set(z, y, x, sum);
 * }</pre>
 *
 * <p>For devices, whose compilers make predicates of such conditions: then the loads of all, and of several elements, are under way together, and
 * threads of different kinds go together. A sum begins with -0, to which a first product is added without a trace of it.
 */
final class TapCode {
    private static final Comparator<Tap> IN_MEMORY =
            Comparator.comparingLong(Tap::z).thenComparingLong(Tap::y).thenComparingLong(Tap::x);

    private static final int NONE = -1;

    private final StencilPattern pattern;
    private final boolean accumulate;
    private final StencilCode code;

    private TapCode(StencilPattern pattern, boolean accumulate, StencilCode code) {
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
        return StencilCode.of(pattern.wide(), code -> new TapCode(pattern, accumulate, code).write());
    }

    private void write() {
        if (accumulate) code.beginWithResult();
        else code.begin(-0.0);
        taps().forEach(this::add);
        if (!accumulate) clearEmpty();
        code.end();
    }

    /** Elements by their places, with their coefficients for each cell; null in cells that do without. */
    private Map<Tap, List<@Nullable Double>> taps() {
        Map<Tap, List<@Nullable Double>> all = new TreeMap<>(IN_MEMORY);
        int cells = pattern.cells().size();
        for (int cell = 0; cell < cells; cell++)
            for (Tap tap : pattern.cells().get(cell))
                all.computeIfAbsent(tap.place(), _ -> new ArrayList<>(Collections.nCopies(cells, null)))
                        .set(cell, tap.coefficient());
        return all;
    }

    private void add(Tap place, List<@Nullable Double> coefficients) {
        Set<@Nullable Double> values = new HashSet<>(coefficients);
        values.remove(null);
        // In cells that do without, any will do.
        int coefficient = values.size() == 1
                ? NONE
                : chosen(
                        coefficients.stream()
                                .map(value -> value == null ? 0 : value)
                                .toList(),
                        0);
        Label present = code.label();
        Label done = code.label();
        if (!isHarmless(place, coefficients)) {
            List<Boolean> has =
                    coefficients.stream().map(value -> value != null).toList();
            choose(has, 0, here -> code.jump(here ? present : done));
        }
        code.bind(present);
        if (coefficient == NONE) code.add(place.times(values.iterator().next()));
        else code.add(place, coefficient);
        code.bind(done);
    }

    /** Whether all cells may add an element: those that do without have nothing else to add, and so are cleared. */
    private boolean isHarmless(Tap tap, List<@Nullable Double> coefficients) {
        if (!coefficients.contains(null)) return true;
        if (accumulate || !pattern.covered() || tap.z() != 0 || tap.y() != 0 || tap.x() != 0) return false;
        for (int cell = 0; cell < coefficients.size(); cell++)
            if (coefficients.get(cell) == null && !pattern.cells().get(cell).isEmpty()) return false;
        return true;
    }

    /**
     * The number for the element's kinds along an axis and those behind it, in a local variable. What it would be for all kinds along the axis is
     * found before one of these is chosen, so that there is nothing but the choice in a branch.
     */
    private int chosen(List<Double> values, int axis) {
        int number = code.local();
        if (new HashSet<>(values).size() == 1) {
            code.set(number, values.getFirst());
            return number;
        }
        Map<List<Double>, Integer> parts = new LinkedHashMap<>();
        for (List<Double> part : parts(values, axis)) parts.computeIfAbsent(part, _ -> chosen(part, axis + 1));
        Label chosen = code.label();
        branch(parts(values, axis), axis, part -> {
            code.copy(Objects.requireNonNull(parts.get(part)), number);
            code.jump(chosen);
        });
        code.bind(chosen);
        return number;
    }

    /** A sum of nothing is 0. */
    private void clearEmpty() {
        List<Boolean> empty = pattern.cells().stream().map(List::isEmpty).toList();
        if (!empty.contains(true)) return;
        Label clear = code.label();
        Label done = code.label();
        choose(empty, 0, none -> code.jump(none ? clear : done));
        code.bind(clear);
        code.begin(0);
        code.bind(done);
    }

    /** Finds the value for the element's kinds along an axis and those behind it, and goes on with that. */
    private <T> void choose(List<T> values, int axis, Consumer<T> then) {
        if (new HashSet<>(values).size() == 1) then.accept(values.getFirst());
        else branch(parts(values, axis), axis, part -> choose(part, axis + 1, then));
    }

    /** The values for each kind along an axis. */
    private <T> List<List<T>> parts(List<T> values, int axis) {
        int count = pattern.axes().get(axis).count();
        int length = values.size() / count;
        return IntStream.range(0, count)
                .mapToObj(c -> values.subList(c * length, (c + 1) * length))
                .toList();
    }

    /** Finds which of the values for each kind along an axis is the element's, and goes on with that; once for values that are equal. */
    private <T> void branch(List<T> values, int axis, Consumer<T> then) {
        Kinds kinds = pattern.axes().get(axis);
        Map<T, Label> labels = new LinkedHashMap<>();
        for (T value : values) labels.computeIfAbsent(value, _ -> code.label());
        for (int c = 0; c < kinds.count() - 1; c++)
            if (!values.get(c).equals(values.get(c + 1)))
                code.jumpUpTo(axis, kinds, c, Objects.requireNonNull(labels.get(values.get(c))));
        code.jump(Objects.requireNonNull(labels.get(values.getLast())));
        labels.forEach((value, label) -> {
            code.bind(label);
            then.accept(value);
        });
    }
}

package io.penstock.operator;

import java.util.ArrayList;
import java.util.List;

/**
 * Where the elements along an axis come from: each of {@code targets} places takes the element at one of {@code sources} places,
 * or zero.
 *
 * @param sources the extent of the axis before
 * @param targets the extent of the axis after
 * @param runs what is taken over, by rising target, each target at most once
 */
record AxisMap(long sources, long targets, List<Run> runs) {
    /**
     * Neighbours that stay neighbours.
     *
     * @param target the first place that is filled
     * @param source the first (lowest) place that is taken
     * @param length how many
     * @param reversed whether the highest source goes to the first target
     */
    record Run(long target, long source, long length, boolean reversed) {
        /** The part of this run whose sources and targets lie in the given ranges, counted from their starts; or of length 0. */
        Run within(long sourceFrom, long sourceTo, long targetFrom, long targetTo) {
            // The targets that the range of sources allows.
            long first = reversed ? target + source + length - sourceTo : target + sourceFrom - source;
            long last = reversed ? target + source + length - sourceFrom : target + sourceTo - source;
            long from = Math.max(Math.max(first, target), targetFrom);
            long to = Math.min(Math.min(last, target + length), targetTo);
            if (to <= from) return new Run(0, 0, 0, false);
            long lowest = reversed ? source + length - (to - target) : source + (from - target);
            return new Run(from - targetFrom, lowest - sourceFrom, to - from, reversed);
        }
    }

    AxisMap {
        runs = runs.stream().filter(run -> run.length > 0).toList();
    }

    static AxisMap flip(long n) {
        return new AxisMap(n, n, List.of(new Run(0, 0, n, true)));
    }

    /** Moves each element {@code shift} places up, those that leave at the end coming in at the front. */
    static AxisMap roll(long n, long shift) {
        long by = n == 0 ? 0 : Math.floorMod(shift, n);
        return new AxisMap(n, n, List.of(new Run(0, n - by, by, false), new Run(by, 0, n - by, false)));
    }

    static AxisMap pad(long n, long before, long after) {
        return new AxisMap(n, Math.addExact(n, Math.addExact(before, after)), List.of(new Run(before, 0, n, false)));
    }

    /** Keeps the first elements, or adds zeros behind. */
    static AxisMap resize(long n, long targets) {
        return new AxisMap(n, targets, List.of(new Run(0, 0, Math.min(n, targets), false)));
    }

    /** Puts the mirror image in front; the first element is shared. */
    static AxisMap symmetrize(long n) {
        if (n == 0) return new AxisMap(0, 0, List.of());
        return new AxisMap(n, 2 * n - 1, List.of(new Run(0, 1, n - 1, true), new Run(n - 1, 0, n, false)));
    }

    /**
     * Takes the elements at the given places, in the given order.
     *
     * @throws IllegalArgumentException when a place does not lie within the axis
     */
    static AxisMap select(long n, long[] indices) {
        List<Run> runs = new ArrayList<>();
        for (int i = 0; i < indices.length; ) {
            long index = indices[i];
            if (index < 0 || index >= n)
                throw new IllegalArgumentException("indices[" + i + "] is " + index + "; expected 0 to " + (n - 1));
            int end = i + 1;
            while (end < indices.length && indices[end] == index + (end - i) && indices[end] < n) end++;
            runs.add(new Run(i, index, end - i, false));
            i = end;
        }
        return new AxisMap(n, indices.length, runs);
    }

    /** Whether no source is taken twice, so that the adjoint copies and need not add. */
    boolean takesEachOnce() {
        List<Run> bySource = new ArrayList<>(runs);
        bySource.sort((a, b) -> Long.compare(a.source, b.source));
        for (int i = 1; i < bySource.size(); i++) {
            Run before = bySource.get(i - 1);
            if (before.source + before.length > bySource.get(i).source) return false;
        }
        return true;
    }

    /** How many targets are filled from a source. */
    long filled() {
        return runs.stream().mapToLong(Run::length).sum();
    }
}

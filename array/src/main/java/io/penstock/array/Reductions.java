package io.penstock.array;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sums over vectors that travel between ranks together: any number of dot products take one message per group of ranks.
 *
 * <p>Every rank must add to the same slots in the same order and then call {@link #reduce}. May be used again after
 * {@link #clear}, without allocating.
 */
public final class Reductions {
    /** A group of ranks that each hold a part of a sum. */
    public interface Group {
        /**
         * Replaces the first {@code count} values by their sums over the ranks, in one message; every rank gets the same bits.
         */
        void sum(double[] values, int count);
    }

    private final int slots;
    private final double[] local;
    private final List<Group> groups = new ArrayList<>(1);
    private final List<double[]> partial = new ArrayList<>(1);
    private boolean complex;
    /** One past the highest slot added to since the last clear: what lies above is not sent. */
    private int used;

    /** Room for {@code slots} sums, all zero. */
    public Reductions(int slots) {
        if (slots < 1) throw new IllegalArgumentException("slots is " + slots + "; expected 1 or more");
        this.slots = slots;
        this.local = new double[2 * slots];
    }

    /**
     * Adds to a sum.
     *
     * @param slot which sum
     * @param re the real part of what this rank adds
     * @param im the imaginary part
     * @param isComplex whether the sum is complex, on every rank alike
     * @param group the ranks that each add their part, or null when every rank adds the same
     */
    public void add(int slot, double re, double im, boolean isComplex, @Nullable Group group) {
        complex |= isComplex;
        used = Math.max(used, slot + 1);
        double[] sums = group == null ? local : partialOf(group);
        sums[slot] += re;
        sums[slots + slot] += im;
    }

    /**
     * Adds to a real sum in every group that has taken part so far, so that what one rank has to say travels with the sums.
     * Where no group has taken part yet it adds to this rank's own sums.
     */
    public void addToGroups(int slot, double re) {
        used = Math.max(used, slot + 1);
        if (groups.isEmpty()) local[slot] += re;
        for (double[] sums : partial) sums[slot] += re;
    }

    private double[] partialOf(Group group) {
        int at = groups.indexOf(group);
        if (at >= 0) return partial.get(at);
        double[] sums = new double[2 * slots];
        groups.add(group);
        partial.add(sums);
        return sums;
    }

    /** Completes all sums: one message per group of ranks that took part, of the slots added to. */
    public void reduce() {
        for (int g = 0; g < groups.size(); g++) {
            double[] sums = partial.get(g);
            if (complex) System.arraycopy(sums, slots, sums, used, used);
            groups.get(g).sum(sums, complex ? 2 * used : used);
            for (int slot = 0; slot < used; slot++) {
                local[slot] += sums[slot];
                if (complex) local[slots + slot] += sums[used + slot];
            }
            Arrays.fill(sums, 0);
        }
    }

    /** The real part of a sum, after {@link #reduce}. */
    public double re(int slot) {
        return local[slot];
    }

    /** The imaginary part of a sum, after {@link #reduce}. */
    public double im(int slot) {
        return local[slots + slot];
    }

    /** Sets all sums to zero, for the next round over the same groups. */
    public void clear() {
        Arrays.fill(local, 0);
        for (double[] sums : partial) Arrays.fill(sums, 0);
        complex = false;
        used = 0;
    }
}

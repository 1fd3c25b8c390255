package io.penstock.kernel.reach;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What is known at one point of a kernel: bounds of symbols, and of sums of several symbols. */
final class Facts {
    /** Bounds that hold wherever a symbol is known at all. */
    private final List<Interval> base;

    private final Map<Integer, Interval> symbols;
    private final Map<Linear.Part, Interval> sums;

    Facts(List<Interval> base) {
        this(base, Map.of(), Map.of());
    }

    private Facts(List<Interval> base, Map<Integer, Interval> symbols, Map<Linear.Part, Interval> sums) {
        this.base = base;
        this.symbols = symbols;
        this.sums = sums;
    }

    Interval symbol(int symbol) {
        Interval known = symbols.get(symbol);
        return known == null ? base.get(symbol) : known.and(base.get(symbol));
    }

    Interval of(Linear form) {
        return of(form.part()).plus(form.constant());
    }

    private Interval of(Linear.Part part) {
        Interval sum = Interval.of(0);
        for (int k = 0; k < part.size(); k++)
            sum = sum.plus(symbol(part.symbol(k)).times(part.factor(k)));
        return part.size() < 2
                ? sum
                : sum.and(sums.getOrDefault(part, Interval.ALL)).and(opposite(part));
    }

    private Interval opposite(Linear.Part part) {
        if (sums.isEmpty()) return Interval.ALL;
        Interval known = sums.get(new Linear(part, 0).times(-1).part());
        return known == null ? Interval.ALL : known.negated();
    }

    /** These facts and one more: that a form lies in an interval. Facts that contradict one another are empty somewhere. */
    Facts with(Linear form, Interval bounds) {
        Linear.Part part = form.part();
        Interval within = bounds.plus(Interval.of(form.constant()).negated());
        Map<Integer, Interval> refined = new HashMap<>(symbols);
        for (int k = 0; k < part.size(); k++) {
            Interval rest = within;
            for (int other = 0; other < part.size(); other++)
                if (other != k)
                    rest = rest.plus(
                            symbol(part.symbol(other)).times(part.factor(other)).negated());
            int symbol = part.symbol(k);
            refined.put(symbol, symbol(symbol).and(divide(rest, part.factor(k))));
        }
        if (part.size() < 2) return new Facts(base, refined, sums);
        Map<Linear.Part, Interval> more = new HashMap<>(sums);
        more.merge(part, within, Interval::and);
        return new Facts(base, refined, more);
    }

    /** The numbers of which a multiple lies in an interval. */
    private static Interval divide(Interval products, long factor) {
        Interval upward = factor < 0 ? products.negated() : products;
        if (factor == Long.MIN_VALUE) return Interval.ALL;
        long by = Math.abs(factor);
        return new Interval(
                upward.low() == Interval.NONE_BELOW ? Interval.NONE_BELOW : Math.ceilDiv(upward.low(), by),
                upward.high() == Interval.NONE_ABOVE ? Interval.NONE_ABOVE : Math.floorDiv(upward.high(), by));
    }

    boolean contradict() {
        return symbols.keySet().stream().anyMatch(symbol -> symbol(symbol).isEmpty())
                || sums.keySet().stream().anyMatch(part -> of(part).isEmpty());
    }

    /** What holds whichever of two sets of facts does. */
    Facts or(Facts other) {
        return new Facts(base, hulls(symbols, other.symbols), hulls(sums, other.sums));
    }

    private static <K> Map<K, Interval> hulls(Map<K, Interval> some, Map<K, Interval> others) {
        Map<K, Interval> hulls = new HashMap<>(some);
        hulls.keySet().retainAll(others.keySet());
        hulls.replaceAll((key, interval) -> interval.hull(Objects.requireNonNull(others.get(key))));
        return hulls;
    }
}

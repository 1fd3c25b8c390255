package io.penstock.kernel.c;

import io.penstock.kernel.ir.Operation;
import io.penstock.kernel.ir.Value;
import io.penstock.kernel.ir.ValueType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A condition that holds where a value fails. */
sealed interface Check {
    /** The condition in C. */
    String text();

    /** Any condition. */
    record Condition(String text) implements Check {}

    /**
     * That an index is outside: negative, or not below an extent.
     *
     * @param index the index
     * @param unsigned the cast by which both become unsigned numbers
     * @param extent the extent, in C
     * @param sizes the numbers that the extent is computed from
     * @param narrow whether the index is held in 32 bits
     */
    record Outside(Value index, String unsigned, String extent, List<Value> sizes, boolean narrow) implements Check {
        /** Whether what is added to an index that is inside cannot wrap around where the sum is inside as well. */
        boolean isExact() {
            return !narrow || unsigned.equals("(u32) ");
        }

        @Override
        public String text() {
            return unsigned + Expressions.use(index) + " >= " + unsigned + extent;
        }
    }

    /**
     * That an index is negative, or not below all of several extents by some distance at least.
     *
     * @param index the index
     * @param unsigned the cast by which all become unsigned numbers
     * @param distances the distances by the extents, in C
     */
    record Beyond(Value index, String unsigned, Map<String, Long> distances) implements Check {
        @Override
        public String text() {
            boolean narrow = unsigned.equals("(u32) ")
                    || distances.keySet().stream().allMatch(extent -> extent.startsWith("(u32) "));
            String bits = narrow ? "32(" : "64(";
            String cast = narrow ? "(u32) " : "(u64) ";
            String least = "";
            for (Map.Entry<String, Long> extent : distances.entrySet()) {
                String whole = extent.getKey().startsWith(cast) ? extent.getKey() : cast + extent.getKey();
                String room = extent.getValue() == 0 ? whole : "room" + bits + whole + ", " + extent.getValue() + ")";
                least = least.isEmpty() ? room : "lesser" + bits + least + ", " + room + ")";
            }
            return unsigned + Expressions.use(index) + " >= " + least;
        }
    }

    /** The most that indices may differ from what they share for the ends to speak for those between, in 32 bits too. */
    long MOST_DISTANCE = 1 << 29;

    /** An index as something and a constant, of which the first is what indices near each other share. */
    record Place(Value base, boolean fromInt, long distance) {
        /** Takes sums and differences with constants apart, on one side of a conversion from {@code int}. */
        static Place of(Value index) {
            boolean fromInt =
                    index.operation() == Operation.CONVERT && index.operand(0).type() == ValueType.INT;
            Value base = fromInt ? index.operand(0) : index;
            long distance = 0;
            while (base.operation() == Operation.ADD || base.operation() == Operation.SUB) {
                boolean adds = base.operation() == Operation.ADD;
                Value first = base.operand(0);
                Value second = base.operand(1);
                if (second.isInteger()) {
                    distance += adds ? second.integer() : -second.integer();
                    base = first;
                } else if (adds && first.isInteger()) {
                    distance += first.integer();
                    base = second;
                } else break;
            }
            return new Place(base, fromInt, distance);
        }
    }

    /**
     * Checks that one of a few holds where one of all does. Of indices that differ by constants the least speaks for all: it must be
     * so far from each extent's end that the others are inside as well, since what is between would have to wrap around first.
     */
    static List<Check> fewest(Collection<Check> all) {
        record Line(Value base, boolean fromInt, String unsigned, boolean narrow) {}
        Map<Line, List<Outside>> lines = new LinkedHashMap<>();
        Set<Check> fewest = new LinkedHashSet<>();
        for (Check check : all) {
            if (check instanceof Outside outside && outside.isExact()) {
                Place place = Place.of(outside.index());
                lines.computeIfAbsent(
                                new Line(place.base(), place.fromInt(), outside.unsigned(), outside.narrow()),
                                line -> new ArrayList<>())
                        .add(outside);
            } else {
                fewest.add(check);
            }
        }
        for (List<Outside> line : lines.values()) fewest.addAll(least(line));
        return List.copyOf(fewest);
    }

    private static List<? extends Check> least(List<Outside> line) {
        Outside least = line.getFirst();
        for (Outside next : line) {
            long distance = Place.of(next.index()).distance();
            if (distance < -MOST_DISTANCE || distance > MOST_DISTANCE) return line;
            if (distance < Place.of(least.index()).distance()) least = next;
        }
        long from = Place.of(least.index()).distance();
        Map<String, Long> farthest = new LinkedHashMap<>();
        for (Outside next : line)
            farthest.merge(next.extent(), Place.of(next.index()).distance() - from, Math::max);
        if (farthest.size() == 1 && farthest.containsValue(0L)) return List.of(least);
        return List.of(new Beyond(least.index(), least.unsigned(), farthest));
    }
}

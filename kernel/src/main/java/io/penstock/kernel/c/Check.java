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
     */
    record Outside(Value index, String unsigned, String extent) implements Check {
        @Override
        public String text() {
            return unsigned + Expressions.use(index) + " >= " + unsigned + extent;
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
     * Checks that one of a few holds where one of all does. Of indices that differ by constants and are held against one extent,
     * the least and the greatest are inside only where all are: what is between would have to wrap around first.
     */
    static List<Check> fewest(Collection<Check> all) {
        record Line(Value base, boolean fromInt, String unsigned, String extent) {}
        Map<Line, List<Outside>> lines = new LinkedHashMap<>();
        Set<Check> fewest = new LinkedHashSet<>();
        for (Check check : all) {
            if (check instanceof Outside outside) {
                Place place = Place.of(outside.index());
                lines.computeIfAbsent(
                                new Line(place.base(), place.fromInt(), outside.unsigned(), outside.extent()),
                                line -> new ArrayList<>())
                        .add(outside);
            } else {
                fewest.add(check);
            }
        }
        for (List<Outside> line : lines.values()) fewest.addAll(ends(line));
        return List.copyOf(fewest);
    }

    private static List<Outside> ends(List<Outside> line) {
        Outside least = line.getFirst();
        Outside most = least;
        for (Outside next : line) {
            long distance = Place.of(next.index()).distance();
            if (distance < -MOST_DISTANCE || distance > MOST_DISTANCE) return line;
            if (distance < Place.of(least.index()).distance()) least = next;
            if (distance > Place.of(most.index()).distance()) most = next;
        }
        return List.of(least, most);
    }
}

package io.penstock.cli.plot;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What ran where and when: lanes of boxes, with arrows between them. All times are in seconds on one scale.
 *
 * @param lanes in the order in which they are drawn, those of a group side by side
 */
public record Timeline(List<Lane> lanes, List<Arrow> arrows) {
    /** Keeps copies of the lists. */
    public Timeline {
        lanes = List.copyOf(lanes);
        arrows = List.copyOf(arrows);
    }

    /** What a box stands for. */
    public enum Kind {
        /** Work that computes. */
        WORK,
        /** A copy. */
        COPY,
        /** A fill. */
        FILL,
        /** A message between ranks. */
        MESSAGE,
        /** The host hands work to a device. */
        ISSUE,
        /** A queue or the host waits for others. */
        WAIT
    }

    /**
     * Things that happen one after another, or within each other, in one place.
     *
     * @param group what the lane belongs to, such as a device
     * @param failures when something failed
     */
    public record Lane(String group, String name, List<Box> boxes, List<Double> failures) {
        /** Keeps copies of the lists. */
        public Lane {
            boxes = List.copyOf(boxes);
            failures = List.copyOf(failures);
        }
    }

    /** Something that lasts. */
    public record Box(String name, Kind kind, double begin, double end) {}

    /**
     * From what was waited for to what waited for it.
     *
     * @param from the number of the lane where it begins
     * @param to the number of the lane where it ends
     */
    public record Arrow(int from, double begin, int to, double end) {}

    /** What of it is seen between two times: boxes and arrows that reach into them, and lanes that then have any. */
    public Timeline between(double from, double to) {
        List<Lane> seen = new ArrayList<>();
        Map<Integer, Integer> numbers = new HashMap<>();
        for (int k = 0; k < lanes.size(); k++) {
            Lane lane = lanes.get(k);
            List<Box> boxes = lane.boxes.stream()
                    .filter(box -> box.end >= from && box.begin <= to)
                    .toList();
            List<Double> failures =
                    lane.failures.stream().filter(at -> at >= from && at <= to).toList();
            if (boxes.isEmpty() && failures.isEmpty()) continue;
            numbers.put(k, seen.size());
            seen.add(new Lane(lane.group, lane.name, boxes, failures));
        }
        List<Arrow> reaching = new ArrayList<>();
        for (Arrow arrow : arrows) {
            Integer begin = numbers.get(arrow.from);
            Integer end = numbers.get(arrow.to);
            if (begin != null && end != null && arrow.end >= from && arrow.begin <= to)
                reaching.add(new Arrow(begin, arrow.begin, end, arrow.end));
        }
        return new Timeline(seen, reaching);
    }

    /** When the first box begins; 0 when there is none. */
    public double begin() {
        return lanes.stream()
                .flatMap(lane -> lane.boxes().stream())
                .mapToDouble(Box::begin)
                .min()
                .orElse(0);
    }

    /** When the last box ends; 0 when there is none. */
    public double end() {
        return lanes.stream()
                .flatMap(lane -> lane.boxes().stream())
                .mapToDouble(Box::end)
                .max()
                .orElse(0);
    }
}

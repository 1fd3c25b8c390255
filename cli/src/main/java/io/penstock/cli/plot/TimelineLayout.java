package io.penstock.cli.plot;

import java.util.ArrayList;
import java.util.List;

/** Where the lanes and times of a timeline lie in its picture, in points. */
final class TimelineLayout {
    static final int TOP = 46;
    static final int LANE = 22;
    static final int GAP = 5;
    private static final int GROUP = 24;
    private static final int RIGHT = 24;

    private final double from;
    private final double to;
    private final int left;
    private final int width;
    private final List<Integer> tops = new ArrayList<>();
    private final List<Heading> headings = new ArrayList<>();
    private final int bottom;

    /** A group's name, above its lanes. */
    record Heading(String group, int baseline) {}

    /**
     * A layout.
     *
     * @param from the time at the left edge
     * @param to the time at the right edge
     * @param left how much room the lanes' names need
     * @param width of the whole picture
     */
    TimelineLayout(Timeline timeline, double from, double to, int left, int width) {
        this.from = from;
        this.to = to;
        this.left = left;
        this.width = width - left - RIGHT;
        int y = TOP;
        String group = null;
        for (Timeline.Lane lane : timeline.lanes()) {
            if (!lane.group().equals(group)) {
                headings.add(new Heading(lane.group(), y + GROUP - 8));
                y += GROUP;
                group = lane.group();
            }
            tops.add(y);
            y += LANE + GAP;
        }
        this.bottom = y + GAP;
    }

    double from() {
        return from;
    }

    double to() {
        return to;
    }

    int left() {
        return left;
    }

    int right() {
        return left + width;
    }

    /** Below the last lane, where the axis is. */
    int bottom() {
        return bottom;
    }

    List<Heading> headings() {
        return headings;
    }

    double x(double time) {
        return left + (time - from) / (to - from) * width;
    }

    int top(int lane) {
        return tops.get(lane);
    }

    double middle(int lane) {
        return tops.get(lane) + LANE / 2.0;
    }
}

package io.penstock.cli.plot;

import java.awt.Color;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Which colour each name of work has: what takes most time comes first, and copies look alike whatever they copy. */
final class TimelineColours {
    /** Told apart by people who see colours differently too. After Paul Tol's schemes. */
    private static final List<Color> PALETTE = List.of(
            new Color(0x4477AA),
            new Color(0xEE6677),
            new Color(0x228833),
            new Color(0xCCBB44),
            new Color(0x66CCEE),
            new Color(0xAA3377),
            new Color(0x997700),
            new Color(0x44BB99),
            new Color(0xEE99AA),
            new Color(0x004488));

    private static final Map<Timeline.Kind, Color> FIXED = Map.of(
            Timeline.Kind.COPY, new Color(0x9A9A9A),
            Timeline.Kind.FILL, new Color(0xC4C4C4),
            Timeline.Kind.MESSAGE, new Color(0xEE8866),
            Timeline.Kind.ISSUE, new Color(0xBBCCEE));

    private TimelineColours() {}

    /** The name under which a box is coloured. */
    static String key(Timeline.Box box) {
        return switch (box.kind()) {
            case COPY -> "copy";
            case FILL -> "fill";
            case MESSAGE -> "message";
            case ISSUE -> "the host submits work";
            default -> box.name();
        };
    }

    /** Colours of all names, those that take most time first. */
    static Map<String, Color> of(Timeline timeline) {
        Map<String, Double> seconds = new HashMap<>();
        Map<String, Timeline.Kind> kinds = new HashMap<>();
        for (Timeline.Lane lane : timeline.lanes())
            for (Timeline.Box box : lane.boxes()) {
                if (box.kind() == Timeline.Kind.WAIT) continue;
                seconds.merge(key(box), box.end() - box.begin(), Double::sum);
                kinds.put(key(box), box.kind());
            }
        Map<String, Color> colours = new LinkedHashMap<>();
        int next = 0;
        Comparator<Map.Entry<String, Double>> most = Map.Entry.comparingByValue(Comparator.reverseOrder());
        for (Map.Entry<String, Double> entry : seconds.entrySet().stream()
                .sorted(most.thenComparing(Map.Entry.comparingByKey()))
                .toList()) {
            Color fixed = FIXED.get(kinds.get(entry.getKey()));
            colours.put(entry.getKey(), fixed != null ? fixed : PALETTE.get(next++ % PALETTE.size()));
        }
        return colours;
    }

    static boolean isDark(Color colour) {
        return 0.3 * colour.getRed() + 0.59 * colour.getGreen() + 0.11 * colour.getBlue() < 140;
    }
}

package io.penstock.cli.timeline;

import io.penstock.cli.json.Json;
import io.penstock.cli.plot.Timeline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Reads the JSON of Chrome's tracing, as {@code --trace} writes it: boxes, arrows of waits, and failures. */
final class TraceReader {
    private static final String NO_TRACE = " is no trace; expected the JSON that --trace FILE writes";

    private final Map<Long, String> groups = new HashMap<>();
    private final Map<Key, Track> tracks = new HashMap<>();
    private final Map<Long, Point> begun = new HashMap<>();
    private final List<Flow> flows = new ArrayList<>();

    private record Key(long group, long lane) {}

    private record Point(Track track, double at) {}

    private record Flow(Point from, Point to) {}

    /** A lane that is being read. */
    private static final class Track {
        private final long group;
        private String name = "";
        private final List<Timeline.Box> boxes = new ArrayList<>();
        private final List<Double> failures = new ArrayList<>();

        Track(long group) {
            this.group = group;
        }

        String name() {
            return name;
        }
    }

    private TraceReader() {}

    /**
     * Reads a file.
     *
     * @throws IllegalArgumentException when it is no trace
     */
    static Timeline read(Path file) throws IOException {
        if (Files.isDirectory(file))
            throw new IllegalArgumentException(file + " is a folder; expected the file that --trace FILE writes");
        JsonNode root = json(file);
        JsonNode events = root.isArray() ? root : root.path("traceEvents");
        if (!events.isArray()) throw new IllegalArgumentException(file + NO_TRACE);
        TraceReader reader = new TraceReader();
        for (JsonNode event : events) reader.event(event);
        return reader.timeline();
    }

    private static JsonNode json(Path file) throws IOException {
        try {
            return Json.read(file);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(file + NO_TRACE + "; " + e.getMessage(), e);
        }
    }

    private void event(JsonNode event) {
        switch (event.path("ph").asString("")) {
            case "M" -> name(event);
            case "X" -> box(event);
            case "i" -> track(event).failures.add(seconds(event.path("ts")));
            case "s" -> {
                if (isWait(event)) begun.put(event.path("id").asLong(), point(event));
            }
            case "f" -> {
                Point from = begun.remove(event.path("id").asLong());
                if (from != null) flows.add(new Flow(from, point(event)));
            }
            default -> {
                // Other programs write more into such files.
            }
        }
    }

    private static boolean isWait(JsonNode event) {
        return event.path("cat").asString("").equals("wait");
    }

    private void name(JsonNode event) {
        String name = event.path("args").path("name").asString("");
        if (event.path("name").asString("").equals("process_name"))
            groups.put(event.path("pid").asLong(), name);
        else if (event.path("name").asString("").equals("thread_name")) track(event).name = name;
    }

    private void box(JsonNode event) {
        double begin = seconds(event.path("ts"));
        double end = begin + seconds(event.path("dur"));
        track(event).boxes.add(new Timeline.Box(event.path("name").asString(""), kind(event), begin, end));
    }

    private static Timeline.Kind kind(JsonNode event) {
        String category = event.path("cat").asString("").toUpperCase(Locale.ROOT);
        for (Timeline.Kind kind : Timeline.Kind.values()) if (kind.name().equals(category)) return kind;
        return Timeline.Kind.WORK;
    }

    private static double seconds(JsonNode micros) {
        return micros.asDouble() * 1e-6;
    }

    private Point point(JsonNode event) {
        return new Point(track(event), seconds(event.path("ts")));
    }

    private Track track(JsonNode event) {
        long group = event.path("pid").asLong();
        return tracks.computeIfAbsent(new Key(group, event.path("tid").asLong()), _ -> new Track(group));
    }

    /** The host's threads come last, below what they have submitted to. */
    private Timeline timeline() {
        List<Track> ordered = tracks.values().stream()
                .filter(track -> !track.boxes.isEmpty() || !track.failures.isEmpty())
                .sorted(Comparator.comparing((Track track) -> group(track).equals("host"))
                        .thenComparing(this::group)
                        .thenComparing(Track::name, TraceReader::compareNames))
                .toList();
        Map<Track, Integer> numbers = new HashMap<>();
        for (Track track : ordered) numbers.put(track, numbers.size());
        List<Timeline.Arrow> arrows = new ArrayList<>();
        for (Flow flow : flows) {
            Integer from = numbers.get(flow.from.track);
            Integer to = numbers.get(flow.to.track);
            if (from != null && to != null) arrows.add(new Timeline.Arrow(from, flow.from.at, to, flow.to.at));
        }
        return new Timeline(
                ordered.stream()
                        .map(track -> new Timeline.Lane(group(track), track.name, track.boxes, track.failures))
                        .toList(),
                arrows);
    }

    private String group(Track track) {
        return groups.getOrDefault(track.group, "process " + track.group);
    }

    /** Queue 10 comes after queue 9. */
    static int compareNames(String a, String b) {
        return Comparator.comparing((String name) -> name.replaceAll("\\d+", ""))
                .thenComparingInt(String::length)
                .thenComparing(Comparator.naturalOrder())
                .compare(a, b);
    }
}

package io.penstock.runtime;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes events in the JSON of Chrome's tracing: boxes ("X"), the two ends of arrows ("s", "f") and points ("i"), in microseconds
 * since the file was begun. Groups are its processes, lanes its threads.
 *
 * <p>That the file cannot be written is told when it is closed, not to the work that is traced.
 */
final class TraceFile {
    private final Writer out;
    private final long origin = System.nanoTime();
    private final StringBuilder text = new StringBuilder();
    private final Map<String, Integer> groups = new HashMap<>();
    private final Map<Place, Integer> lanes = new HashMap<>();
    /** Which lanes of messages are in use. */
    private final BitSet messages = new BitSet();

    private boolean first = true;
    private long arrows;
    private @Nullable IOException failure;

    private TraceFile(Writer out) {
        this.out = out;
    }

    static TraceFile create(Path path) throws IOException {
        Writer out = Files.newBufferedWriter(path);
        out.write("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
        return new TraceFile(out);
    }

    /**
     * A box: something that lasts.
     *
     * @param begin when it began, by {@link System#nanoTime()}
     * @param details names and values, in turn; values are strings or numbers
     */
    synchronized void box(String name, String category, Place place, long begin, long end, Object... details) {
        begin("X", name, category, place, begin);
        text.append(",\"dur\":");
        micros(Math.max(0, end - begin));
        details(details);
        end();
    }

    /** A point in time. */
    synchronized void point(String name, String category, Place place, long at, Object... details) {
        begin("i", name, category, place, at);
        text.append(",\"s\":\"t\"");
        details(details);
        end();
    }

    /** An arrow from within one box to within another, each given by where it is and a time within it. */
    synchronized void arrow(String category, Place from, long begin, Place to, long end) {
        long id = ++arrows;
        begin("s", category, category, from, begin);
        text.append(",\"id\":").append(id);
        end();
        begin("f", category, category, to, end);
        text.append(",\"bp\":\"e\",\"id\":").append(id);
        end();
    }

    /** A lane that no message under way is shown in. */
    synchronized Place takeMessageLane() {
        int lane = messages.nextClearBit(0);
        messages.set(lane);
        return new Place(Place.MESSAGES, "under way " + (lane + 1));
    }

    /** Gives a lane back that {@link #takeMessageLane} gave, of this trace or an earlier one. */
    synchronized void giveMessageLane(Place place) {
        messages.clear(Integer.parseInt(place.lane().substring("under way ".length())) - 1);
    }

    private void begin(String phase, String name, String category, Place place, long at) {
        int lane = lane(place);
        begin(phase, name, groups.getOrDefault(place.group(), 0), lane);
        text.append(",\"cat\":");
        string(category);
        text.append(",\"ts\":");
        micros(at - origin);
    }

    private void begin(String phase, String name, int group, int lane) {
        text.append(first ? "\n" : ",\n");
        first = false;
        text.append("{\"ph\":\"").append(phase).append("\",\"name\":");
        string(name);
        text.append(",\"pid\":").append(group).append(",\"tid\":").append(lane);
    }

    /** The number of a lane, which is announced when it is first met. */
    private int lane(Place place) {
        Integer known = lanes.get(place);
        if (known != null) return known;
        Integer group = groups.get(place.group());
        if (group == null) {
            group = groups.size() + 1;
            groups.put(place.group(), group);
            announce("process_name", group, 0, place.group());
        }
        int lane = lanes.size() + 1;
        lanes.put(place, lane);
        announce("thread_name", group, lane, place.lane());
        return lane;
    }

    private void announce(String what, int group, int lane, String name) {
        begin("M", what, group, lane);
        text.append(",\"args\":{\"name\":");
        string(name);
        text.append('}');
        end();
    }

    private void details(Object... details) {
        if (details.length == 0) return;
        text.append(",\"args\":{");
        for (int k = 0; k < details.length; k += 2) {
            if (k > 0) text.append(',');
            string(details[k].toString());
            text.append(':');
            if (details[k + 1] instanceof Number number) text.append(number);
            else string(details[k + 1].toString());
        }
        text.append('}');
    }

    private void end() {
        text.append('}');
        try {
            if (failure == null) out.append(text);
        } catch (IOException e) {
            failure = e;
        }
        text.setLength(0);
    }

    /** Nanoseconds as microseconds, without rounding. */
    private void micros(long nanos) {
        if (nanos < 0) {
            text.append('-');
            nanos = -nanos;
        }
        long rest = nanos % 1000;
        text.append(nanos / 1000).append('.');
        text.append((char) ('0' + rest / 100))
                .append((char) ('0' + rest / 10 % 10))
                .append((char) ('0' + rest % 10));
    }

    private void string(String value) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            boolean lone = Character.isSurrogate(c) && !isPaired(value, i);
            if (c == '"' || c == '\\') text.append('\\').append(c);
            else if (c < 0x20 || lone) text.append(String.format("\\u%04x", (int) c));
            else text.append(c);
        }
        text.append('"');
    }

    /** Half of a pair alone is no character, and no encoding of one can be written. */
    private static boolean isPaired(String value, int i) {
        return Character.isHighSurrogate(value.charAt(i))
                ? i + 1 < value.length() && Character.isLowSurrogate(value.charAt(i + 1))
                : i > 0 && Character.isHighSurrogate(value.charAt(i - 1));
    }

    synchronized void close() throws IOException {
        try (out) {
            if (failure != null) throw failure;
            out.write("\n]}\n");
        }
    }
}

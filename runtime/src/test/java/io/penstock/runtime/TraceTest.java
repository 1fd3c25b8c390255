package io.penstock.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.runtime.SimulatedDevice.SimulatedQueue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is written into a trace. Each event stands on a line of its own, so no JSON needs to be read. */
@Timeout(60)
class TraceTest {
    @TempDir
    private Path folder;

    private final SimulatedDevice device = new SimulatedDevice("simulated");

    /** One event: a field's text, without quotation marks. */
    private record Event(String line) {
        String get(String field) {
            Matcher found = Pattern.compile("\"" + field + "\":\"?([^,\"}]*)").matcher(line);
            return found.find() ? found.group(1) : "";
        }

        double number(String field) {
            return Double.parseDouble(get(field));
        }

        double end() {
            return number("ts") + number("dur");
        }
    }

    private List<Event> trace(Runnable work) throws IOException {
        Path file = folder.resolve("trace.json");
        try (Trace _ = Trace.to(file)) {
            work.run();
        }
        List<String> lines = Files.readAllLines(file);
        assertThat(lines.getFirst()).isEqualTo("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
        assertThat(lines.getLast()).isEqualTo("]}");
        return lines.subList(1, lines.size() - 1).stream().map(Event::new).toList();
    }

    private static Event box(List<Event> events, String name) {
        List<Event> found = events.stream()
                .filter(e -> e.get("ph").equals("X") && e.get("name").equals(name))
                .toList();
        assertThat(found).as("boxes named %s", name).hasSize(1);
        return found.getFirst();
    }

    /** Lets a time pass; a park may end before its time. */
    private static void rest(long nanos) {
        long end = System.nanoTime() + nanos;
        for (long left = nanos; left > 0; left = end - System.nanoTime()) LockSupport.parkNanos(left);
    }

    /** Where the arrow begins whose end lies in a lane at a time. */
    private static Event source(List<Event> events, String category, Event box) {
        Event end = events.stream()
                .filter(e -> e.get("ph").equals("f") && e.get("cat").equals(category))
                .filter(e -> e.get("tid").equals(box.get("tid")))
                .filter(e -> e.number("ts") >= box.number("ts") && e.number("ts") <= box.end())
                .findFirst()
                .orElseThrow();
        return events.stream()
                .filter(e -> e.get("ph").equals("s") && e.get("id").equals(end.get("id")))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void workOnDevicesHasTimesOfTheDeviceAndArrowsFromWhatItWaitedFor() throws IOException {
        SimulatedQueue first = device.newQueue();
        SimulatedQueue second = device.newQueue();
        List<Event> events = trace(() -> {
            try (Buffer buffer = device.allocate(1000, MemoryKind.DEVICE)) {
                first.submit("produce", List.of(Access.write(buffer)), () -> first.command(() -> rest(3_000_000)));
                second.submit(
                        "consume",
                        List.of(Access.read(buffer, new Region(0, 4, 10, 8))),
                        () -> second.command(() -> rest(1_000_000)));
                second.await();
            }
        });
        Event produce = box(events, "produce");
        Event consume = box(events, "consume");
        assertThat(produce.number("dur")).isGreaterThan(2500);
        assertThat(consume.number("dur")).isGreaterThan(900);
        assertThat(consume.number("ts")).isGreaterThanOrEqualTo(produce.end());
        assertThat(produce.get("written")).isEqualTo("1000");
        assertThat(consume.get("read")).isEqualTo("40");
        assertThat(consume.get("written")).isEqualTo("0");
        assertThat(consume.get("tid")).isNotEqualTo(produce.get("tid"));
        assertThat(consume.get("pid")).isEqualTo(produce.get("pid"));

        Event arrow = source(events, "wait", consume);
        assertThat(arrow.get("tid")).isEqualTo(produce.get("tid"));
        assertThat(arrow.number("ts")).isBetween(produce.number("ts"), produce.end());

        Event wait = events.stream()
                .filter(e -> e.get("cat").equals("wait") && e.get("ph").equals("X"))
                .filter(e -> e.get("tid").equals(consume.get("tid")))
                .findFirst()
                .orElseThrow();
        assertThat(wait.get("for")).isEqualTo(first.toString());
        assertThat(wait.end()).isBetween(consume.number("ts") - 0.002, consume.number("ts") + 0.002);

        Event issue = box(events, "issue consume");
        assertThat(issue.number("ts")).isLessThan(consume.number("ts"));
        assertThat(issue.get("queue")).isEqualTo(second.toString());
    }

    @Test
    void copiesAndFillsAreKindsOfTheirOwn() throws IOException {
        Queue queue = Device.jvm().newQueue();
        List<Event> events = trace(() -> {
            try (Buffer from = Device.jvm().allocate(4096, MemoryKind.HOST);
                    Buffer to = Device.jvm().allocate(4096, MemoryKind.HOST)) {
                queue.fill(from, Box.contiguous(0, 4096), 1, 0, 1);
                queue.copy(from, to);
                queue.submit("kernel", List.of(Access.read(to)), () -> {});
                queue.await();
            }
        });
        assertThat(box(events, "fill").get("cat")).isEqualTo("fill");
        assertThat(box(events, "copy").get("cat")).isEqualTo("copy");
        assertThat(box(events, "copy").get("written")).isEqualTo("4096");
        assertThat(box(events, "kernel").get("cat")).isEqualTo("work");
        assertThat(events)
                .anyMatch(e -> e.get("name").equals("thread_name") && e.line().contains("\"" + queue + "\""))
                .anyMatch(e -> e.get("name").equals("process_name") && e.line().contains("\"jvm\""));
    }

    @Test
    void theHostsWaitsAreSeenInItsThreads() throws IOException {
        Queue queue = Device.jvm().newQueue();
        List<Event> events = trace(() -> {
            try (Buffer buffer = Device.jvm().allocate(8, MemoryKind.HOST)) {
                CountDownLatch go = new CountDownLatch(1);
                queue.submit("slow", List.of(Access.write(buffer)), () -> QueueTest.reach(go));
                Thread waiting = Thread.currentThread();
                Thread.ofPlatform().start(() -> {
                    while (waiting.getState() != Thread.State.WAITING) Thread.onSpinWait();
                    go.countDown();
                });
                buffer.await(Region.contiguous(0, 1), false);
            }
        });
        Event wait = box(events, "wait");
        assertThat(wait.get("for")).isEqualTo(queue.toString());
        assertThat(wait.get("pid")).isNotEqualTo(box(events, "slow").get("pid"));
        assertThat(source(events, "wait", wait).get("tid"))
                .isEqualTo(box(events, "slow").get("tid"));
    }

    @Test
    void failuresAreMarkedWhereTheyHappened() throws IOException {
        Queue apart = Device.jvm().newQueue();
        SimulatedQueue driver = device.newQueue();
        List<Event> events = trace(() -> {
            apart.submit("bad", List.of(), () -> {
                throw new IllegalStateException("a \"bad\"\nend \\ \u0001");
            });
            driver.submit("worse", List.of(), () -> driver.commandThatFails(new ArithmeticException("by zero")));
            assertThatThrownBy(apart::await).hasMessageStartingWith("a \"bad\"");
            assertThatThrownBy(driver::await).hasMessage("by zero");
        });
        List<Event> failures =
                events.stream().filter(e -> e.get("ph").equals("i")).toList();
        assertThat(failures)
                .extracting(e -> e.get("tid"))
                .containsExactlyInAnyOrder(
                        box(events, "bad").get("tid"), box(events, "worse").get("tid"));
        assertThat(failures)
                .extracting(Event::line)
                .anyMatch(line -> line.contains("a \\\"bad\\\"\\u000aend \\\\ \\u0001"))
                .anyMatch(line -> line.contains("ArithmeticException: by zero"));
    }

    @Test
    void directWorkIsShownOnItsThread() throws IOException {
        List<Event> events = trace(() -> {
            try (Buffer buffer = Device.jvm().allocate(8, MemoryKind.HOST)) {
                Device.jvm().queue().submit("direct", List.of(Access.write(buffer)), () -> {});
            }
        });
        Event lane = events.stream()
                .filter(e -> e.get("name").equals("thread_name"))
                .filter(e -> e.get("tid").equals(box(events, "direct").get("tid")))
                .findFirst()
                .orElseThrow();
        assertThat(lane.line())
                .contains("jvm direct on " + Thread.currentThread().getName());
    }

    @Test
    void messagesThatOverlapHaveLanesOfTheirOwn() throws IOException {
        List<Event> events = trace(() -> {
            try (Buffer buffer = Device.jvm().allocate(16, MemoryKind.HOST)) {
                Occupation one = Occupation.begin("receive", List.of(Access.write(buffer.slice(0, 8))));
                Occupation other = Occupation.begin("send", List.of(Access.read(buffer.slice(8, 8))));
                one.end(null);
                Occupation last = Occupation.begin("broadcast", List.of(Access.write(buffer.slice(0, 8))));
                other.end(null);
                last.end(new IllegalStateException("lost"));
            }
        });
        assertThat(box(events, "receive").get("cat")).isEqualTo("message");
        assertThat(box(events, "send").get("tid"))
                .isNotEqualTo(box(events, "receive").get("tid"));
        assertThat(box(events, "broadcast").get("tid"))
                .isEqualTo(box(events, "receive").get("tid"));
        assertThat(events)
                .filteredOn(e -> e.get("ph").equals("i"))
                .singleElement()
                .matches(e -> e.line().contains("lost"))
                .matches(e -> e.get("tid").equals(box(events, "broadcast").get("tid")));
    }

    @Test
    void oneTraceCanBeOpenAtATime() {
        Path file = folder.resolve("trace.json");
        try (Trace _ = Trace.to(file)) {
            assertThatThrownBy(() -> Trace.to(file)).hasMessageContaining("a trace is open already");
        }
        Trace.to(file).close();
        assertThatThrownBy(() -> Trace.to(folder.resolve("none").resolve("trace.json")))
                .hasMessageContaining("cannot write the trace");
    }

    @Test
    void nothingIsTimedWhileNobodyWantsToKnow() {
        SimulatedQueue queue = device.newQueue();
        for (int i = 0; i < 200; i++) queue.submit("work", List.of(), () -> queue.command(() -> {}));
        queue.await();
        assertThat(queue.timedEvents()).isZero();
    }
}

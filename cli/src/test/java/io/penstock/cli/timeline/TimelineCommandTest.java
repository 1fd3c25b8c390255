package io.penstock.cli.timeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.cli.Program;
import io.penstock.cli.plot.Fonts;
import io.penstock.cli.plot.Timeline;
import io.penstock.runtime.Access;
import io.penstock.runtime.Buffer;
import io.penstock.runtime.Device;
import io.penstock.runtime.MemoryKind;
import io.penstock.runtime.Queue;
import io.penstock.runtime.Trace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code penstock timeline}, on traces that the runtime has written and on others. */
class TimelineCommandTest {
    @TempDir
    private Path folder;

    @Test
    void aTraceOfQueuesIsReadBack() throws IOException {
        Path file = folder.resolve("trace.json");
        Queue first = Device.jvm().newQueue();
        Queue second = Device.jvm().newQueue();
        try (Trace _ = Trace.to(file);
                Buffer buffer = Device.jvm().allocate(1 << 20, MemoryKind.HOST);
                Buffer other = Device.jvm().allocate(1 << 20, MemoryKind.HOST)) {
            first.submit("pro\"duce", List.of(Access.write(buffer)), () -> sleep(20));
            second.copy(buffer, other);
            second.submit("consume", List.of(Access.read(other)), () -> {});
            second.await();
        }
        Timeline timeline = TraceReader.read(file);
        assertThat(timeline.lanes())
                .extracting(Timeline.Lane::group, Timeline.Lane::name)
                .startsWith(
                        org.assertj.core.groups.Tuple.tuple("jvm", first.toString()),
                        org.assertj.core.groups.Tuple.tuple("jvm", second.toString()));
        Timeline.Box produce = timeline.lanes().get(0).boxes().getFirst();
        assertThat(produce.name()).isEqualTo("pro\"duce");
        assertThat(produce.end() - produce.begin()).isBetween(0.019, 10.0);
        assertThat(timeline.lanes().get(1).boxes())
                .extracting(Timeline.Box::kind)
                .containsExactlyInAnyOrder(Timeline.Kind.WAIT, Timeline.Kind.COPY, Timeline.Kind.WORK);
        Timeline.Box copy = timeline.lanes().get(1).boxes().stream()
                .filter(box -> box.kind() == Timeline.Kind.COPY)
                .findFirst()
                .orElseThrow();
        assertThat(copy.begin()).isGreaterThanOrEqualTo(produce.end());
        assertThat(timeline.arrows())
                .anyMatch(arrow -> arrow.from() == 0
                        && arrow.to() == 1
                        && arrow.begin() > produce.begin()
                        && arrow.begin() <= produce.end());
        assertThat(timeline.lanes().getLast().group()).isEqualTo("host");
    }

    private static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void theProgramsOwnTraceIsDrawn() throws IOException {
        assumeTrue(Fonts.obstacle().isEmpty(), "no font");
        Path file = folder.resolve("run.json");
        Program traced = Program.run(
                "poststack",
                "--samples",
                "60",
                "--traces",
                "20",
                "--iterations",
                "2",
                "--ranks",
                "2",
                "--quiet",
                "--out",
                folder.resolve("out").toString(),
                "--trace",
                file.toString());
        assertThat(traced.err()).isEmpty();
        assertThat(traced.status()).isZero();
        Program drawn = Program.run("timeline", file.toString());
        assertThat(drawn.err()).isEmpty();
        assertThat(drawn.out()).contains("run.png");
        assertThat(Files.size(folder.resolve("run.png"))).isGreaterThan(10_000);
        assertThat(TraceReader.read(file).lanes())
                .extracting(Timeline.Lane::group)
                .contains("jvm", "messages");
    }

    @Test
    void wrongUsesAreToldApart() throws IOException {
        assumeTrue(Fonts.obstacle().isEmpty(), "no font");
        Path file = folder.resolve("other.json");
        Files.writeString(file, "{\"a\": 1}");
        assertThat(Program.run("timeline", file.toString()).err()).contains("is no trace; expected");
        Files.writeString(file, "PK");
        assertThat(Program.run("timeline", file.toString()).err()).contains("is no trace; expected", "line 1");
        Files.writeString(file, "[]");
        assertThat(Program.run("timeline", file.toString()).err()).contains("tells of no work");
        Files.writeString(
                file,
                "[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1000,\"dur\":500,\"pid\":1,\"tid\":1},{\"ph\":\"C\",\"name\":\"other\"}]");
        Program late = Program.run("timeline", file.toString(), "--from", "7");
        assertThat(late.status()).isEqualTo(2);
        assertThat(late.err()).contains("expected --from before --to");
        assertThat(Program.run("timeline", file.toString(), "--from", "1.2").status())
                .isZero();
        assertThat(Program.run("timeline", file.toString(), "--from", "3", "--to", "4")
                        .out())
                .contains("0 lanes, 0 boxes");
        Program undrawn = Program.run("timeline", file.toString(), "--out", folder + "/no/x.png");
        assertThat(undrawn.status()).isEqualTo(1);
        assertThat(undrawn.err().strip())
                .isEqualTo("penstock: the picture cannot be written to " + folder + "/no/x.png: there is no folder "
                        + folder + "/no");
        Path nowhere = folder.resolve("no/where.json");
        Program untraced = Program.run("doctor", "--trace", nowhere.toString());
        assertThat(untraced.status()).isEqualTo(1);
        assertThat(untraced.err().strip())
                .isEqualTo("penstock: cannot write the trace " + nowhere + ": there is no file or folder " + nowhere);
        assertThat(Program.run("timeline", folder.toString()).err()).contains(folder + " is a folder");
        assertThat(Program.run("timeline", file.toString(), "--width", "1000000000")
                        .err())
                .contains("width is 1000000000; expected");
    }

    @Test
    void queueTenComesAfterQueueNine() {
        assertThat(Stream.of("cuda:0 queue 10", "cuda:0 queue 9", "direct", "cuda:0 queue 1")
                        .sorted(TraceReader::compareNames))
                .containsExactly("cuda:0 queue 1", "cuda:0 queue 9", "cuda:0 queue 10", "direct");
    }
}

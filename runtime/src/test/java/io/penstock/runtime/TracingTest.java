package io.penstock.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the flight recorder says of work and waits. */
@Timeout(60)
class TracingTest {
    @Test
    void workAndWaitsAreRecorded(@TempDir Path folder) throws IOException {
        Queue first = Device.jvm().newQueue();
        Queue second = Device.jvm().newQueue();
        Path file = folder.resolve("trace.jfr");
        try (Recording recording = new Recording();
                Buffer buffer = Device.jvm().allocate(1000, MemoryKind.HOST)) {
            recording.enable("io.penstock.Work");
            recording.enable("io.penstock.Wait");
            recording.start();
            CountDownLatch go = new CountDownLatch(1);
            first.submit(List.of(Access.write(buffer, new Region(0, 4, 10, 8))), () -> QueueTest.reach(go));
            second.submit(List.of(Access.read(buffer.slice(0, 500)), Access.write(buffer.slice(500, 7))), () -> {});
            Thread waiting = Thread.currentThread();
            Thread.ofPlatform().start(() -> {
                while (waiting.getState() != Thread.State.WAITING) Thread.onSpinWait();
                // The second queue's thread, which nobody sees, comes to its wait meanwhile.
                long end = System.nanoTime() + 300_000_000;
                while (end - System.nanoTime() > 0) LockSupport.parkNanos(end - System.nanoTime());
                go.countDown();
            });
            buffer.await(Region.contiguous(500, 1), false);
            recording.stop();
            recording.dump(file);
        }
        List<RecordedEvent> events = RecordingFile.readAllEvents(file);
        assertThat(events)
                .filteredOn(e -> e.getEventType().getName().equals("io.penstock.Work"))
                .extracting(e -> e.getString("queue"), e -> e.getLong("read"), e -> e.getLong("written"))
                .contains(
                        org.assertj.core.api.Assertions.tuple(first.toString(), 0L, 40L),
                        org.assertj.core.api.Assertions.tuple(second.toString(), 500L, 7L));
        assertThat(events)
                .filteredOn(e -> e.getEventType().getName().equals("io.penstock.Wait"))
                .extracting(e -> e.getString("queue"), e -> e.getString("producer"), e -> e.getLong("upTo"))
                .contains(
                        org.assertj.core.api.Assertions.tuple(second.toString(), first.toString(), 1L),
                        org.assertj.core.api.Assertions.tuple("host", second.toString(), 1L));
    }
}

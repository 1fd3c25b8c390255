package io.penstock.runtime;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.testing.Seeded;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The second opinion on order: silent on the ledger's, loud without it. */
@Timeout(60)
class OrderCheckTest {
    private final Queue first = Device.jvm().newQueue();
    private final Queue second = Device.jvm().newQueue();

    @BeforeEach
    void install() {
        OrderCheck.installed = new OrderCheck();
    }

    @AfterEach
    void remove() {
        OrderCheck.installed = null;
        Ledger.waits = true;
    }

    @Test
    void findsNothingInRandomPrograms() {
        Seeded.cases(3_000, random -> {
            RandomProgram program = new RandomProgram(random);
            assertThat(RandomProgramsTest.run(program)).isEqualTo(program.inSequence());
        });
    }

    @Test
    void namesBothSitesOfAPairThatNothingOrders() {
        CountDownLatch go = new CountDownLatch(1);
        try (Buffer buffer = Device.jvm().allocate(100, MemoryKind.HOST)) {
            Ledger.waits = false;
            List<Access> left = List.of(Access.write(buffer, new Region(0, 4, 10, 8)));
            List<Access> right = List.of(Access.write(buffer, new Region(4, 4, 10, 8)));
            List<Access> across = List.of(Access.read(buffer, new Region(6, 3, 1, 3)));
            submitFirst(left, go);
            second.submit(right, () -> {});
            assertThatThrownBy(() -> second.submit(across, () -> {}))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("reads Region[offset=6")
                    .hasMessageContaining("writes Region[offset=0")
                    .satisfies(e -> assertThat(e.getStackTrace())
                            .anyMatch(frame -> frame.getMethodName().contains("namesBothSites")))
                    .cause()
                    .satisfies(e -> assertThat(e.getStackTrace())
                            .anyMatch(frame -> frame.getMethodName().equals("submitFirst")));
            go.countDown();
            first.await();
            second.submit(across, () -> {}).await();
        }
    }

    private void submitFirst(List<Access> accesses, CountDownLatch latch) {
        first.submit(accesses, () -> QueueTest.reach(latch));
    }

    @Test
    void orderThroughAThirdQueueCounts() {
        CountDownLatch go = new CountDownLatch(1);
        Queue third = Device.jvm().newQueue();
        try (Buffer a = Device.jvm().allocate(8, MemoryKind.HOST);
                Buffer b = Device.jvm().allocate(8, MemoryKind.HOST)) {
            submitFirst(List.of(Access.write(a)), go);
            second.submit(List.of(Access.read(a), Access.write(b)), () -> {});
            Ticket last = third.submit(List.of(Access.write(a), Access.write(b)), () -> {});
            go.countDown();
            last.await();
        }
    }

    @Test
    void readingThatWritesIsReported() {
        try (Buffer buffer = Device.jvm().allocate(100, MemoryKind.HOST)) {
            buffer.segment().fill((byte) 0);
            List<Access> column = List.of(Access.read(buffer, new Region(0, 4, 10, 8)));
            first.submit(column, () -> HostMemory.ALL.set(JAVA_BYTE, buffer.address() + 5, (byte) 1))
                    .await();
            Ticket lies = first.submit(column, () -> HostMemory.ALL.set(JAVA_BYTE, buffer.address() + 9, (byte) 1));
            assertThatThrownBy(lies::await).hasMessageContaining("changed what it declared to be only read");
            List<Access> both = List.of(Access.read(buffer), Access.write(buffer));
            first.submit(both, () -> HostMemory.ALL.set(JAVA_BYTE, buffer.address(), (byte) 1))
                    .await();
        }
    }

    @Test
    void anUnknownCheckIsRefused() {
        assertThat(OrderCheck.asked(null)).isNull();
        assertThat(OrderCheck.asked("order")).isNotNull();
        assertThatThrownBy(() -> OrderCheck.asked("all"))
                .hasMessage("penstock.check is 'all'; expected order, collectives or order,collectives");
    }
}

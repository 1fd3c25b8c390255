package io.penstock.runtime;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What waits for what, shown by latches: where two pieces must overlap, each waits for the other; no clock is read. */
@Timeout(60)
class QueueTest {
    private final Queue first = Device.jvm().newQueue();
    private final Queue second = Device.jvm().newQueue();

    private static Buffer allocate(long bytes) {
        return Device.jvm().allocate(bytes, MemoryKind.HOST);
    }

    static void reach(CountDownLatch latch) {
        try {
            if (!latch.await(30, SECONDS)) throw new IllegalStateException("the other piece of work did not come");
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Submits two pieces, each of which ends only once the other has begun. */
    private void meet(Access one, Access other) {
        CountDownLatch a = new CountDownLatch(1);
        CountDownLatch b = new CountDownLatch(1);
        first.submit(List.of(one), () -> {
            a.countDown();
            reach(b);
        });
        second.submit(List.of(other), () -> {
            b.countDown();
            reach(a);
        });
        first.await();
        second.await();
    }

    /** Submits two pieces, of which the second must not begin before the first ends. */
    private void follow(Access one, Access other) {
        CountDownLatch go = new CountDownLatch(1);
        AtomicInteger ended = new AtomicInteger();
        AtomicInteger seen = new AtomicInteger();
        first.submit(List.of(one), () -> {
            reach(go);
            ended.set(1);
        });
        Ticket later = second.submit(List.of(other), () -> seen.set(ended.get()));
        assertThat(later.isDone()).isFalse();
        go.countDown();
        later.await();
        assertThat(seen.get()).isEqualTo(1);
    }

    @Test
    void disjointPartsOverlapInTime() {
        try (Buffer buffer = allocate(1000)) {
            meet(Access.write(buffer.slice(0, 500)), Access.write(buffer.slice(500, 500)));
            meet(Access.write(buffer, new Region(0, 4, 100, 8)), Access.write(buffer, new Region(4, 4, 100, 8)));
        }
    }

    @Test
    void readersOverlapInTime() {
        try (Buffer buffer = allocate(1000)) {
            meet(Access.read(buffer), Access.read(buffer));
        }
    }

    @Test
    void conflictingPiecesFollowEachOther() {
        try (Buffer buffer = allocate(1000)) {
            follow(Access.write(buffer), Access.read(buffer));
            follow(Access.read(buffer), Access.write(buffer));
            follow(Access.write(buffer), Access.write(buffer));
            follow(Access.write(buffer.slice(0, 501)), Access.write(buffer.slice(500, 500)));
            follow(Access.write(buffer, new Region(0, 4, 100, 8)), Access.read(buffer, new Region(3, 4, 100, 8)));
        }
    }

    @Test
    void aReadOfOneHalfDoesNotWaitForTheOthersWriter() {
        try (Buffer buffer = allocate(1000)) {
            CountDownLatch go = new CountDownLatch(1);
            Ticket writer = first.submit(List.of(Access.write(buffer.slice(0, 500))), () -> reach(go));
            buffer.await(Region.contiguous(500, 500), false);
            assertThat(buffer.slice(500, 500).segment().byteSize()).isEqualTo(500);
            assertThat(writer.isDone()).isFalse();
            go.countDown();
            buffer.await(Region.contiguous(499, 500), false);
            assertThat(writer.isDone()).isTrue();
        }
    }

    @Test
    void aReadDoesNotWaitForReaders() {
        try (Buffer buffer = allocate(1000)) {
            CountDownLatch go = new CountDownLatch(1);
            Ticket reader = first.submit(List.of(Access.read(buffer)), () -> reach(go));
            buffer.await(Region.contiguous(0, 1000), false);
            assertThat(reader.isDone()).isFalse();
            go.countDown();
            buffer.await(Region.contiguous(0, 1000), true);
            assertThat(reader.isDone()).isTrue();
        }
    }

    @Test
    void submittersNeverWait() {
        try (Buffer buffer = allocate(8)) {
            CountDownLatch go = new CountDownLatch(1);
            first.submit(List.of(Access.write(buffer)), () -> reach(go));
            for (int i = 0; i < 10_000; i++) {
                second.submit(List.of(Access.write(buffer)), () -> {});
                first.submit(List.of(Access.write(buffer)), () -> {});
            }
            go.countDown();
            second.await();
            first.await();
        }
    }

    @Test
    void directWorkWaitsForWhatIsUnderWay() {
        Queue direct = Device.jvm().queue();
        try (Buffer buffer = allocate(8)) {
            AtomicInteger order = new AtomicInteger();
            CountDownLatch go = new CountDownLatch(1);
            first.submit(List.of(Access.write(buffer)), () -> {
                reach(go);
                order.compareAndSet(0, 1);
            });
            second.submit(List.of(), go::countDown);
            assertThat(direct.submit(List.of(Access.read(buffer)), () -> order.compareAndSet(1, 2))
                            .isDone())
                    .isTrue();
            assertThat(order.get()).isEqualTo(2);
        }
    }

    @Test
    void workWaitsForDirectWorkOfAnotherThread() throws InterruptedException {
        try (Buffer buffer = allocate(8)) {
            CountDownLatch begun = new CountDownLatch(1);
            CountDownLatch go = new CountDownLatch(1);
            AtomicInteger ended = new AtomicInteger();
            AtomicInteger seen = new AtomicInteger();
            Thread other = Thread.ofPlatform()
                    .start(() -> Device.jvm().queue().submit(List.of(Access.write(buffer)), () -> {
                        begun.countDown();
                        reach(go);
                        ended.set(1);
                    }));
            reach(begun);
            Ticket later = first.submit(List.of(Access.read(buffer)), () -> seen.set(ended.get()));
            assertThat(later.isDone()).isFalse();
            go.countDown();
            later.await();
            assertThat(seen.get()).isEqualTo(1);
            other.join();
        }
    }

    @Test
    void closedMemoryIsKeptUntilItsWorkIsOver() {
        long before = Device.jvm().memoryUse().live();
        Buffer buffer = allocate(1 << 20);
        CountDownLatch go = new CountDownLatch(1);
        first.submit(List.of(Access.write(buffer)), () -> {
            reach(go);
            buffer.segment().fill((byte) 1);
        });
        buffer.close();
        assertThat(Device.jvm().memoryUse().live()).isGreaterThan(before);
        assertThatThrownBy(buffer::segment)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("freed");
        try (Buffer next = allocate(1 << 20)) {
            next.segment().fill((byte) 2);
            go.countDown();
            first.await();
            assertThat(next.segment().asByteBuffer().get(77)).isEqualTo((byte) 2);
        }
        assertThat(Device.jvm().memoryUse().live()).isEqualTo(before);
    }

    @Test
    void aScopeClosesWithoutWaiting() {
        long before = Device.jvm().memoryUse().live();
        CountDownLatch go = new CountDownLatch(1);
        try (Scope scope = Scope.open()) {
            Buffer buffer = allocate(1 << 20);
            first.submit(List.of(Access.write(buffer)), () -> reach(go));
            assertThat(scope).isNotNull();
        }
        assertThat(Device.jvm().memoryUse().live()).isGreaterThan(before);
        go.countDown();
        first.await();
        assertThat(Device.jvm().memoryUse().live()).isEqualTo(before);
    }

    @Test
    void workOnClosedMemoryIsRefusedAndHoldsNothing() {
        long before = Device.jvm().memoryUse().live();
        Buffer open = allocate(1 << 16);
        Buffer closed = allocate(8);
        closed.close();
        List<Access> both = List.of(Access.read(open), Access.read(closed));
        assertThatThrownBy(() -> first.submit(both, () -> {})).isInstanceOf(IllegalStateException.class);
        open.close();
        assertThat(Device.jvm().memoryUse().live()).isEqualTo(before);
    }

    @Test
    void aFailureReachesWhoReadsAndSkipsWhatDependsOnIt() {
        try (Buffer buffer = allocate(8);
                Buffer copy = allocate(8)) {
            AtomicInteger ran = new AtomicInteger();
            first.submit(List.of(Access.write(buffer)), () -> {
                throw new UnsupportedOperationException("broken");
            });
            first.submit(List.of(), ran::incrementAndGet);
            second.submit(List.of(Access.read(buffer), Access.write(copy)), ran::incrementAndGet);
            assertThatThrownBy(() -> copy.await(Region.contiguous(0, 8), false))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessage("broken");
            assertThatThrownBy(buffer::segment).isInstanceOf(UnsupportedOperationException.class);
            assertThat(ran.get()).isZero();
            first.submit(List.of(Access.write(buffer)), ran::incrementAndGet);
            second.submit(List.of(Access.write(copy)), ran::incrementAndGet);
            first.await();
            second.await();
            assertThat(ran.get()).isEqualTo(2);
        }
    }

    @Test
    void aFailureOfDirectWorkIsThrownAtOnce() {
        Queue direct = Device.jvm().queue();
        try (Buffer buffer = allocate(8)) {
            List<Access> writes = List.of(Access.write(buffer));
            assertThatThrownBy(() -> direct.submit(writes, () -> {
                        throw new UnsupportedOperationException("broken");
                    }))
                    .isInstanceOf(UnsupportedOperationException.class);
            first.submit(writes, () -> {}).await();
        }
    }

    @Test
    void workMustNotWaitForWork() {
        try (Buffer mine = allocate(8);
                Buffer other = allocate(8)) {
            Ticket waits = first.submit(List.of(Access.write(mine)), first::await);
            assertThatThrownBy(waits::await).hasMessageContaining("must not wait for other work");
            CountDownLatch go = new CountDownLatch(1);
            second.submit(List.of(Access.write(other)), () -> reach(go));
            Ticket strays = first.submit(List.of(Access.write(mine)), other::segment);
            assertThatThrownBy(strays::await).hasMessageContaining("did not declare");
            go.countDown();
            first.submit(List.of(Access.write(mine)), mine::segment).await();
        }
    }

    @Test
    void waitingOutlastsAnInterrupt() {
        try (Buffer buffer = allocate(8)) {
            CountDownLatch go = new CountDownLatch(1);
            Ticket ticket = first.submit(List.of(Access.write(buffer)), () -> reach(go));
            second.submit(List.of(), go::countDown);
            Thread.currentThread().interrupt();
            ticket.await();
            assertThat(Thread.interrupted()).isTrue();
            assertThat(ticket.isDone()).isTrue();
        }
    }

    @Test
    void aQueueIsChosenForAThreadAndItsDevice() {
        Device device = Device.jvm();
        Queue usual = device.queue();
        first.during(() -> {
            assertThat(device.queue()).isSameAs(first);
            second.during(() -> assertThat(device.queue()).isSameAs(second));
            assertThat(device.queue()).isSameAs(first);
            first.submit(List.of(), () -> assertThat(device.queue()).isSameAs(usual))
                    .await();
        });
        assertThat(device.queue()).isSameAs(usual);
    }

    @Test
    void aQueueThatNobodyKeepsFinishesItsWork() {
        try (Buffer buffer = allocate(8)) {
            CountDownLatch go = new CountDownLatch(1);
            Queue dropped = Device.jvm().newQueue();
            java.lang.ref.WeakReference<Queue> reference = new java.lang.ref.WeakReference<>(dropped);
            dropped.submit(List.of(Access.write(buffer)), () -> {
                reach(go);
                buffer.segment().fill((byte) 5);
            });
            dropped = null;
            System.gc();
            go.countDown();
            assertThat(buffer.segment().asByteBuffer().get(3)).isEqualTo((byte) 5);
            untilTrue(() -> reference.get() == null);
        }
    }

    private static void untilTrue(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            System.gc();
        }
    }

    @Test
    void aMillionSubmissionsLeaveNothingBehind() {
        try (Buffer buffer = allocate(1000)) {
            AtomicInteger ran = new AtomicInteger();
            for (int i = 0; i < 500_000; i++) {
                long from = i % 900;
                first.submit(List.of(Access.read(buffer.slice(from, 60))), ran::incrementAndGet);
                second.submit(List.of(Access.write(buffer.slice(900 - from, 40))), ran::incrementAndGet);
                if (i % 1000 == 0)
                    assertThat(buffer.allocation().history().size()).isLessThanOrEqualTo(2 * History.CAPACITY);
            }
            first.await();
            second.await();
            assertThat(ran.get()).isEqualTo(1_000_000);
            buffer.await(Region.contiguous(0, 1000), true);
            assertThat(buffer.allocation().history().size()).isZero();
        }
    }
}

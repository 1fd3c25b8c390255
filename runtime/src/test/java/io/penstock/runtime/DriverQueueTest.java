package io.penstock.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.runtime.SimulatedDevice.SimulatedQueue;
import io.penstock.testing.Seeded;
import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Queues of drivers, on a simulated device. */
@Timeout(120)
class DriverQueueTest {
    private final SimulatedDevice one = new SimulatedDevice("simulated:0");
    private final SimulatedDevice other = new SimulatedDevice("simulated:1");
    private final SimulatedQueue first = one.newQueue();
    private final SimulatedQueue second = other.newQueue();

    @Test
    void submittersDoNotWaitForWhatTheDeviceOrders() {
        CountDownLatch go = new CountDownLatch(1);
        AtomicInteger ran = new AtomicInteger();
        try (Buffer buffer = one.allocate(8, MemoryKind.PINNED)) {
            first.submit(List.of(Access.write(buffer)), () -> first.command(() -> QueueTest.reach(go)));
            Ticket last = second.submit(List.of(), () -> {});
            for (int i = 0; i < 100; i++) {
                SimulatedQueue queue = i % 2 == 0 ? second : first;
                last = queue.submit(List.of(Access.write(buffer)), () -> queue.command(ran::incrementAndGet));
            }
            assertThat(last.isDone()).isFalse();
            assertThat(ran.get()).isZero();
            go.countDown();
            last.await();
            assertThat(ran.get()).isEqualTo(100);
        }
    }

    @Test
    void aTaskThatServedAnOccupationWaitsAgainOutsideIt() {
        CountDownLatch go = new CountDownLatch(1);
        AtomicInteger order = new AtomicInteger();
        try (Buffer buffer = one.allocate(8, MemoryKind.PINNED)) {
            Task task = new Task(List.of(Access.read(buffer)), () -> second.command(() -> order.compareAndSet(1, 2)));
            Occupation.serving(() -> second.submit(task));
            second.await();
            first.submit(
                    List.of(Access.write(buffer)),
                    () -> first.command(() -> {
                        QueueTest.reach(go);
                        order.compareAndSet(0, 1);
                    }));
            second.submit(task);
            go.countDown();
            second.await();
            assertThat(order.get()).isEqualTo(2);
        }
    }

    @Test
    void aFailureThatNobodyWaitedForIsToldWhenTheProgramEnds() {
        CountDownLatch done = new CountDownLatch(1);
        first.submit(List.of(), () -> {
            first.commandThatFails(new IllegalStateException("unseen"));
            first.command(done::countDown);
        });
        QueueTest.reach(done);
        assertThat(Untold.of(first.driverLine())).contains(first.toString()).contains("unseen");
        assertThat(Untold.of(first.driverLine())).isNull();
        assertThat(Untold.of(second.driverLine())).isNull();
    }

    @Test
    void workThatFollowsTheHostIsPutOffAndSoIsWhatIsBehindIt() {
        CountDownLatch go = new CountDownLatch(1);
        AtomicInteger order = new AtomicInteger();
        Queue host = Device.jvm().newQueue();
        try (Buffer buffer = one.allocate(8, MemoryKind.PINNED)) {
            host.submit(List.of(Access.write(buffer)), () -> {
                QueueTest.reach(go);
                order.compareAndSet(0, 1);
            });
            first.submit(List.of(Access.write(buffer)), () -> first.command(() -> order.compareAndSet(1, 2)));
            first.submit(List.of(), () -> first.command(() -> order.compareAndSet(2, 3)));
            Ticket after =
                    second.submit(List.of(Access.read(buffer)), () -> second.command(() -> order.compareAndSet(3, 4)));
            assertThat(after.isDone()).isFalse();
            go.countDown();
            after.await();
            // The third piece touches nothing, so the fourth may overtake it.
            first.await();
            assertThat(order.get()).isIn(3, 4);
        }
    }

    @Test
    void closedMemoryIsGivenBackOnceItsWorkIsOver() {
        Reclaimer.drain();
        long before = Device.jvm().memoryUse().live();
        CountDownLatch go = new CountDownLatch(1);
        Buffer buffer = one.allocate(1 << 20, MemoryKind.DEVICE);
        first.submit(List.of(Access.write(buffer)), () -> first.command(() -> QueueTest.reach(go)));
        buffer.close();
        assertThat(Device.jvm().memoryUse().live()).isGreaterThan(before);
        assertThatThrownBy(() -> first.submit(List.of(Access.read(buffer)), () -> {}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("freed");
        go.countDown();
        Reclaimer.drain();
        assertThat(Device.jvm().memoryUse().live()).isEqualTo(before);
    }

    @Test
    void aKernelsFailureReachesWhoReadsWhatCameOfIt() {
        try (Buffer written = one.allocate(8, MemoryKind.PINNED);
                Buffer copy = one.allocate(8, MemoryKind.PINNED)) {
            first.submit(
                    List.of(Access.write(written)), () -> first.commandThatFails(new ArithmeticException("/ by zero")));
            second.submit(List.of(Access.read(written), Access.write(copy)), () -> second.command(() -> {}));
            assertThatThrownBy(() -> copy.await(Region.contiguous(0, 8), false))
                    .isInstanceOf(ArithmeticException.class);
            first.submit(List.of(Access.write(written)), () -> first.command(() -> {}));
            written.await(Region.contiguous(0, 8), true);
            copy.await(Region.contiguous(0, 8), true);
        }
    }

    /** Nobody has looked at the queue that failed when the work that followed it is found to be over. */
    @Test
    void aFailureReachesWhoReadsWhatIsKnownToBeOver() {
        SimulatedQueue third = one.newQueue();
        try (Buffer written = one.allocate(8, MemoryKind.PINNED);
                Buffer copy = one.allocate(8, MemoryKind.PINNED);
                Buffer last = one.allocate(8, MemoryKind.PINNED)) {
            for (boolean direct : new boolean[] {true, false}) {
                first.submit(
                        List.of(Access.write(written)),
                        () -> first.commandThatFails(new ArithmeticException("/ by zero")));
                Ticket over = second.submit(
                        List.of(Access.read(written), Access.write(copy)), () -> second.command(() -> {}));
                while (!second.driverLine().hasEnded(second.driverLine().submitted())) Thread.onSpinWait();
                third.submit(List.of(Access.read(copy), Access.write(last)), () -> third.command(() -> {}));
                Buffer read = direct ? copy : last;
                assertThatThrownBy(() -> read.await(Region.contiguous(0, 8), false))
                        .isInstanceOf(ArithmeticException.class);
                over.await();
            }
        }
    }

    /** Also where the device always lags behind, so that what a queue has followed is never all over. */
    @ParameterizedTest
    @ValueSource(ints = {1, 10, 100})
    void queuesThatNobodyUsesAnyMoreAreNotKept(int lag) throws InterruptedException {
        List<WeakReference<Queue>> dropped = new ArrayList<>();
        Deque<Ticket> under = new ArrayDeque<>();
        SimulatedQueue keeper = one.newQueue(1, 20_000);
        try (Buffer constant = one.allocate(8, MemoryKind.PINNED);
                Buffer handedOn = one.allocate(8, MemoryKind.PINNED)) {
            for (int k = 0; k < 2000; k++) {
                SimulatedQueue queue = one.newQueue(k, 20_000);
                dropped.add(new WeakReference<>(queue));
                under.add(queue.submit(
                        List.of(Access.read(constant), Access.write(handedOn)), () -> queue.command(() -> {})));
                if (k % 3 == 0)
                    under.add(keeper.submit(List.of(Access.read(handedOn)), () -> keeper.command(() -> {})));
                while (under.size() > lag) under.remove().await();
            }
            System.gc();
            assertThat(dropped.stream().filter(queue -> queue.get() != null)).hasSizeLessThan(500);
            keeper.submit(List.of(Access.read(handedOn), Access.read(constant)), () -> keeper.command(() -> {}));
            keeper.await();
        }
    }

    @Test
    void hostWorkThatFailedIsNotFollowed() {
        AtomicInteger ran = new AtomicInteger();
        Queue host = Device.jvm().newQueue();
        try (Buffer buffer = one.allocate(8, MemoryKind.PINNED)) {
            host.submit(List.of(Access.write(buffer)), () -> {
                throw new UnsupportedOperationException("broken");
            });
            Ticket follower = first.submit(List.of(Access.write(buffer)), () -> first.command(ran::incrementAndGet));
            assertThatThrownBy(follower::await).isInstanceOf(UnsupportedOperationException.class);
            assertThat(ran.get()).isZero();
            assertThatThrownBy(host::await).isInstanceOf(UnsupportedOperationException.class);
            first.submit(List.of(Access.write(buffer)), () -> first.command(ran::incrementAndGet))
                    .await();
            assertThat(ran.get()).isEqualTo(1);
        }
    }

    @Test
    void aLostDeviceTellsEverybodyAndTakesNoMore() {
        try (Buffer buffer = one.allocate(8, MemoryKind.PINNED)) {
            Ticket ticket = first.submit(List.of(Access.write(buffer)), () -> first.command(() -> {}));
            first.breakDown(new DeviceLostException("illegal address; the suspect is work 1"));
            assertThatThrownBy(ticket::await).hasMessageContaining("work 1");
            assertThatThrownBy(ticket::await).hasMessageContaining("work 1");
            assertThatThrownBy(() -> first.submit(List.of(), () -> {}))
                    .isInstanceOf(DeviceLostException.class)
                    .hasMessageContaining("takes no more work");
        }
    }

    @Test
    void aCallThatTheDriverRefusesIsNotCounted() {
        try (Buffer buffer = one.allocate(8, MemoryKind.PINNED)) {
            assertThatThrownBy(() -> first.submit(List.of(Access.write(buffer)), () -> {
                        throw new UnsupportedOperationException("no such function");
                    }))
                    .isInstanceOf(UnsupportedOperationException.class);
            AtomicInteger ran = new AtomicInteger();
            first.submit(List.of(Access.write(buffer)), () -> first.command(ran::incrementAndGet))
                    .await();
            assertThat(ran.get()).isEqualTo(1);
        }
    }

    @Test
    void copiesBetweenMemoriesThatNoQueueReachesAreStaged() {
        Seeded.cases(60, DriverQueueTest::copies);
    }

    private static void copies(SplittableRandom random) {
        SimulatedDevice one = new SimulatedDevice("simulated:0");
        SimulatedDevice other = new SimulatedDevice("simulated:1");
        SimulatedQueue queue = one.newQueue(random.nextLong(), random.nextBoolean() ? 20_000 : 1);
        boolean large = random.nextInt(4) == 0;
        long rowBytes = random.nextLong(1, large ? 6L << 20 : 100);
        long rows = random.nextLong(1, large ? 3 : 8);
        long planes = random.nextLong(1, 4);
        Box source = box(random, rowBytes, rows, planes);
        Box target = box(random, rowBytes, rows, planes);
        try (Buffer host = Device.jvm().allocate(source.region().end(), MemoryKind.HOST);
                Buffer here = one.allocate(source.region().end(), MemoryKind.DEVICE);
                Buffer there = other.allocate(target.region().end(), MemoryKind.DEVICE);
                Buffer back = Device.jvm().allocate(target.region().end(), MemoryKind.HOST)) {
            back.segment().fill((byte) 0);
            byte[] bytes = new byte[Math.toIntExact(host.bytes())];
            random.nextBytes(bytes);
            host.segment().copyFrom(MemorySegment.ofArray(bytes));
            queue.copy(host, here);
            queue.copy(here, source, there, target);
            queue.copy(there, target, back, target);
            for (long plane = 0; plane < planes; plane++)
                for (long row = 0; row < rows; row++) {
                    long from = source.offset() + plane * source.planeStride() + row * source.rowStride();
                    long to = target.offset() + plane * target.planeStride() + row * target.rowStride();
                    assertThat(back.segment()
                                    .asSlice(to, rowBytes)
                                    .mismatch(host.segment().asSlice(from, rowBytes)))
                            .isEqualTo(-1);
                }
        }
    }

    private static Box box(SplittableRandom random, long rowBytes, long rows, long planes) {
        long rowStride = rowBytes + random.nextLong(3);
        return new Box(
                random.nextLong(9),
                rowBytes,
                rows,
                rowStride,
                planes,
                rows * rowStride + random.nextLong(3) * rowStride);
    }

    @Test
    void aTaskIsSubmittedAgainAndAgain() {
        AtomicInteger ran = new AtomicInteger();
        try (Buffer buffer = one.allocate(8, MemoryKind.PINNED)) {
            Task here = new Task(List.of(Access.write(buffer)), () -> first.command(ran::incrementAndGet));
            Task there = new Task(List.of(Access.write(buffer)), () -> second.command(ran::incrementAndGet));
            for (int i = 0; i < 20_000; i++) {
                first.submit(here);
                if (i % 3 == 0) second.submit(there);
            }
            buffer.await(Region.contiguous(0, 8), false);
            assertThat(ran.get()).isEqualTo(20_000 + 6_667);
        }
    }
}

package io.penstock.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.runtime.Access;
import io.penstock.runtime.Box;
import io.penstock.runtime.Buffer;
import io.penstock.runtime.Device;
import io.penstock.runtime.MemoryKind;
import io.penstock.runtime.Queue;
import io.penstock.runtime.Region;
import io.penstock.runtime.Ticket;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Launches on queues that run apart. */
@Timeout(60)
class QueuedLaunchTest {
    private final Queue first = Device.jvm().newQueue();
    private final Queue second = Device.jvm().newQueue();

    static void add(WorkItem at, Ints to, Ints from) {
        to.set(at.x(), to.get(at.x()) + from.get(at.x()));
    }

    static void set(WorkItem at, Ints to, int value) {
        to.set(at.x(), value);
    }

    static void withOneIndexTooMany(WorkItem at, Ints to, Ints from) {
        to.set(at.y(), at.x(), from.get(at.x()));
    }

    static void beyondTheEnd(WorkItem at, Ints to, Ints from) {
        to.set(at.x() + 100, from.get(at.x()));
    }

    static void beyondTheEndOfOne(WorkItem at, Ints to, Ints from) {
        from.set(at.x(), 1);
        to.set(at.x() + 100, 1);
    }

    static void onlyChecks(WorkItem at, Ints to, Ints from) {
        if (to.get(at.x()) != from.get(at.x()) + 1) throw new IllegalStateException("they are not neighbours");
    }

    static void refusesFirst(WorkItem at, Ints to, Ints from) {
        if (at.sizeX() > 1) throw new IllegalStateException("only one item, please");
        to.set(at.x(), from.get(at.x()));
    }

    /** Whoever reads an array that a launch has failed to write is told, although the launch is known to write none of it. */
    @Test
    void launchesThatStoreNothingSinceTheyFailAreToldToReadersOfTheirArrays() {
        List<Kernel> kernels = List.of(
                Kernel.of(QueuedLaunchTest::withOneIndexTooMany),
                Kernel.of(QueuedLaunchTest::beyondTheEnd),
                Kernel.of(QueuedLaunchTest::beyondTheEndOfOne),
                Kernel.of(QueuedLaunchTest::onlyChecks),
                Kernel.of(QueuedLaunchTest::refusesFirst));
        for (Device device : OnDevice.all()) {
            for (Kernel kernel : kernels) {
                Queue queue = device.newQueue();
                try (Buffer to = device.allocate(12, OnDevice.isJvm(device) ? MemoryKind.HOST : MemoryKind.DEVICE);
                        Buffer from = device.allocate(12, to.kind());
                        Buffer copy = Device.jvm().allocate(12, MemoryKind.HOST)) {
                    queue.fill(to, Box.contiguous(0, 12), 0, 0, 4);
                    queue.fill(from, Box.contiguous(0, 12), 0, 0, 4);
                    queue.await();
                    kernel.over(3)
                            .launch(
                                    queue,
                                    Ints.of(to, 0, new long[] {3}, new long[] {1}),
                                    Ints.of(from, 0, new long[] {3}, new long[] {1}));
                    assertThatThrownBy(() -> {
                                device.newQueue().copy(to, copy);
                                copy.await(Region.contiguous(0, 12), false);
                            })
                            .as("%s on %s", kernel.name(), device.name())
                            .isInstanceOf(KernelException.class);
                }
            }
        }
    }

    private static void settle(Ints view) {
        view.buffer().await(view.region(), false);
    }

    private static Ints column(Ints matrix, long rows, long columns, long column) {
        return Ints.of(matrix.buffer(), column, new long[] {rows}, new long[] {columns});
    }

    /** Work that keeps {@code access} until the latch is counted down. */
    private static Ticket block(Queue queue, Access access, CountDownLatch latch) {
        return queue.submit(List.of(access), () -> {
            try {
                if (!latch.await(30, TimeUnit.SECONDS)) throw new IllegalStateException("nobody came");
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @Test
    void launchesOfTwoQueuesThatExchangeArraysAreInOrder() {
        Ints a = Memory.ints(1000);
        Ints b = Memory.ints(1000);
        Kernel.of(QueuedLaunchTest::set).over(1000).launch(first, a, 1);
        Kernel.of(QueuedLaunchTest::set).over(1000).launch(second, b, 1);
        RangedKernel add = Kernel.of(QueuedLaunchTest::add).over(1000);
        int x = 1;
        int y = 1;
        for (int i = 0; i < 100; i++) {
            add.launch(first, a, b.readOnly());
            x += y;
            add.launch(second, b, a.readOnly());
            y += x;
        }
        settle(a);
        settle(b);
        for (int i = 0; i < 1000; i += 111) {
            assertThat(a.get(i)).isEqualTo(x);
            assertThat(b.get(i)).isEqualTo(y);
        }
    }

    @Test
    void columnsOfOneMatrixDoNotWaitForEachOther() {
        Ints matrix = Memory.ints(100, 2);
        CountDownLatch go = new CountDownLatch(1);
        Ints left = column(matrix, 100, 2, 0);
        Ints right = column(matrix, 100, 2, 1);
        assertThat(right.region()).isEqualTo(new Region(matrix.buffer().offset() + 4, 4, 100, 8));
        Ticket blocked = block(first, new Access(left.buffer(), left.region(), true), go);
        Kernel.of(QueuedLaunchTest::set).over(100).launch(second, right, 7);
        settle(right);
        assertThat(blocked.isDone()).isFalse();
        assertThat(right.get(99)).isEqualTo(7);
        go.countDown();
        Kernel.of(QueuedLaunchTest::set).over(200).launch(second, Ints.of(matrix.buffer(), 200), 8);
        settle(matrix);
        assertThat(blocked.isDone()).isTrue();
        assertThat(left.get(99)).isEqualTo(8);
    }

    static void setColumn(WorkItem at, Ints to, int column, int value) {
        to.set(at.x(), column, value);
    }

    @Test
    void aKernelThatWritesOneColumnOfAWholeMatrixWaitsForThatColumnOnly() {
        Ints matrix = Memory.ints(100, 3);
        CountDownLatch go = new CountDownLatch(1);
        Ints left = column(matrix, 100, 3, 0);
        Ticket blocked = block(first, new Access(left.buffer(), left.region(), true), go);
        RangedKernel set = Kernel.of(QueuedLaunchTest::setColumn).over(100);
        set.launch(second, matrix, 2, 7);
        settle(column(matrix, 100, 3, 2));
        assertThat(blocked.isDone()).isFalse();
        assertThat(column(matrix, 100, 3, 2).get(99)).isEqualTo(7);
        set.launch(second, matrix, 0, 8);
        Ticket after = second.submit(List.of(), () -> {});
        assertThat(after.isDone()).isFalse();
        go.countDown();
        settle(left);
        assertThat(blocked.isDone()).isTrue();
        assertThat(left.get(99)).isEqualTo(8);
    }

    @Test
    void launchesThatOnlyReadAnArrayDoNotWaitForEachOther() {
        Ints shared = Memory.ints(10);
        Ints out = Memory.ints(10);
        CountDownLatch go = new CountDownLatch(1);
        Ticket reader = block(first, new Access(shared.buffer(), shared.region(), false), go);
        RangedKernel add = Kernel.of(QueuedLaunchTest::add).over(10);
        add.launch(second, out, shared);
        settle(out);
        assertThat(reader.isDone()).isFalse();
        go.countDown();
        settle(shared);
    }

    static void addAtRandom(WorkItem at, Ints to, Ints from) {
        to.set(at.x(), new SplittableRandom(from.get(at.x())).nextInt());
    }

    @Test
    void ofKernelsThatCannotBeAnalysedAllCountsAsWrittenUnlessPromisedOtherwise() {
        Ints shared = Memory.ints(10);
        Ints out = Memory.ints(10);
        CountDownLatch go = new CountDownLatch(1);
        Ticket reader = block(first, new Access(shared.buffer(), shared.region(), false), go);
        RangedKernel random = Kernel.of(QueuedLaunchTest::addAtRandom).over(10);
        random.launch(second, out, shared.readOnly());
        settle(out);
        assertThat(reader.isDone()).isFalse();
        Ticket undeclared = second.submit(List.of(), go::countDown);
        random.launch(second, out, shared);
        settle(out);
        assertThat(undeclared.isDone() && reader.isDone()).isTrue();
    }

    @Test
    void aLaunchOnTheThreadsOwnQueueWaitsForWhatItNeeds() {
        Ints a = Memory.ints(10);
        Ints b = Memory.ints(10);
        CountDownLatch go = new CountDownLatch(1);
        block(first, new Access(a.buffer(), a.region(), true), go);
        Kernel.of(QueuedLaunchTest::set).over(10).launch(first, a, 5);
        second.submit(List.of(), go::countDown);
        Kernel.of(QueuedLaunchTest::add).over(10).launch(b, a);
        assertThat(b.get(9)).isEqualTo(5);
    }

    @Test
    void theChosenQueueTakesLaunches() {
        Ints a = Memory.ints(10);
        CountDownLatch go = new CountDownLatch(1);
        Ticket blocked = block(first, new Access(a.buffer(), a.region(), true), go);
        first.during(() -> Kernel.of(QueuedLaunchTest::set).over(10).launch(a, 5));
        assertThat(blocked.isDone()).isFalse();
        go.countDown();
        settle(a);
        assertThat(a.get(3)).isEqualTo(5);
    }

    @Test
    void aFailedItemIsReportedToWhoReadsTheResult() {
        Ints a = Memory.ints(10);
        Kernel.of(QueuedLaunchTest::set).over(11).launch(first, a, 5);
        assertThatThrownBy(() -> settle(a))
                .isInstanceOf(KernelException.class)
                .hasMessageContaining("index 10 in dimension 0; expected 0 to 9");
        Kernel.of(QueuedLaunchTest::set).over(10).launch(first, a, 6);
        settle(a);
        assertThat(a.get(9)).isEqualTo(6);
    }

    @Test
    void kernelsLaunchKernelsOnQueues() {
        Ints out = Memory.ints(6, 7);
        Kernel.of((WorkItem at, Ints to) -> {
                    long row = at.x();
                    Kernel.of((WorkItem inner, Ints cells) -> cells.set(row, inner.x(), (int) (10 * row + inner.x())))
                            .over(7)
                            .launch(to);
                })
                .over(6)
                .launch(first, out);
        settle(out);
        assertThat(out.get(5, 6)).isEqualTo(56);
    }

    @Test
    void aPreparedLaunchDoesNotKeepTheQueuesThatItWasLaunchedOn() {
        Ints a = Memory.ints(10);
        Launch launch = Kernel.of((WorkItem at, Ints to) -> to.set(at.x(), to.get(at.x()) + 1))
                .over(10)
                .prepare(a);
        List<WeakReference<Queue>> dropped = new ArrayList<>();
        for (int k = 0; k < 200; k++) {
            Queue queue = Device.jvm().newQueue();
            launch.launch(queue);
            dropped.add(new WeakReference<>(queue));
        }
        settle(a);
        assertThat(a.get(9)).isEqualTo(200);
        System.gc();
        assertThat(dropped.stream().filter(queue -> queue.get() != null)).hasSizeLessThan(100);
        launch.launch(first);
        settle(a);
        assertThat(a.get(9)).isEqualTo(201);
    }
}

package io.penstock.array;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.runtime.Access;
import io.penstock.runtime.Device;
import io.penstock.runtime.Queue;
import io.penstock.runtime.Scope;
import io.penstock.runtime.Ticket;
import io.penstock.runtime.jvm.JvmDevice;
import io.penstock.testing.Seeded;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Operations on arrays while queues work on them. */
@Timeout(60)
class QueuedOperationsTest {
    private final Queue first = Device.jvm().newQueue();
    private final Queue second = Device.jvm().newQueue();

    /** Keeps an array for writing until the latch is counted down, then sets its elements. */
    private static Ticket block(Queue queue, NDArray array, CountDownLatch latch, double value) {
        return queue.submit(List.of(new Access(array.buffer(), array.region(), true)), () -> {
            reach(latch);
            array.fill(value);
        });
    }

    private static void reach(CountDownLatch latch) {
        try {
            if (!latch.await(30, TimeUnit.SECONDS)) throw new IllegalStateException("nobody came");
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void readingAnElementWaitsForItsWriterOnly() {
        NDArray array = NDArray.zeros(DType.F32, 100, 2);
        CountDownLatch go = new CountDownLatch(1);
        Ticket writer = block(first, array.at(1, 0), go, 3);
        assertThat(array.get(50, 1)).isZero();
        array.set(2, 50, 1);
        assertThat(array.at(1, 1).toDoubles()[50]).isEqualTo(2);
        assertThat(writer.isDone()).isFalse();
        second.submit(List.of(), go::countDown);
        assertThat(array.get(50, 0)).isEqualTo(3);
        assertThat(writer.isDone()).isTrue();
    }

    @Test
    void whatReadsAnArrayOnTheHostWaits(@TempDir Path folder) throws IOException {
        List<Function<NDArray, Double>> readers = List.of(
                a -> a.toDoubles()[3],
                a -> a.sum().get() / 8,
                a -> a.dot(NDArray.full(1.0 / 8, DType.F64, 8)).value(),
                a -> a.add(0).get(3),
                a -> a.slice(0, 0, 8, 2).copy().get(1),
                a -> NDArray.eye(DType.F64, 8).matmul(a).get(2),
                a -> a.buffer().segment().get(java.lang.foreign.ValueLayout.JAVA_DOUBLE, 16),
                a -> a.argMax() * 0 + a.max().get(),
                a -> {
                    a.save(folder.resolve("a.npy"));
                    return NDArray.load(folder.resolve("a.npy")).get(3);
                });
        for (int k = 0; k < readers.size(); k++) {
            NDArray array = NDArray.zeros(DType.F64, 8);
            CountDownLatch go = new CountDownLatch(1);
            block(first, array, go, 2);
            second.submit(List.of(), go::countDown);
            assertThat(readers.get(k).apply(array)).as("reader %d", k).isEqualTo(2);
        }
    }

    @Test
    void whatReadsAnArrayOnTheHostDoesNotWaitForReaders() {
        List<Function<NDArray, Double>> readers = List.of(
                a -> a.toDoubles()[3],
                a -> a.sum().get() / 8,
                a -> a.dot(a).value() / 16,
                a -> a.slice(0, 0, 8, 2).dot(a.slice(0, 1, 8, 2)).value() / 8,
                a -> a.add(0).get(3),
                a -> NDArray.eye(DType.F64, 8).matmul(a).get(2),
                a -> a.reshape(1, 8).matmul(NDArray.full(1.0 / 8, DType.F64, 8)).get(0),
                a -> a.get(7));
        NDArray array = NDArray.full(2, DType.F64, 8);
        CountDownLatch go = new CountDownLatch(1);
        Ticket reader = first.submit(List.of(new Access(array.buffer(), array.region(), false)), () -> reach(go));
        for (int k = 0; k < readers.size(); k++)
            assertThat(readers.get(k).apply(array)).as("reader %d", k).isEqualTo(2);
        assertThat(reader.isDone()).isFalse();
        go.countDown();
        array.fill(3);
        assertThat(reader.isDone()).isTrue();
    }

    @Test
    void whatWritesAnArrayWaitsForReductionsOnOtherThreads() throws InterruptedException {
        for (int i = 0; i < 10; i++) {
            NDArray array = NDArray.full(1, DType.F32, 4_000_000);
            double[] sum = new double[1];
            Thread reader =
                    Thread.ofPlatform().start(() -> sum[0] = array.dot(array).value());
            while (!array.buffer().isBusy() && reader.isAlive()) Thread.onSpinWait();
            first.during(() -> array.fill(3));
            reader.join();
            assertThat(sum[0]).as("all old elements or all new ones").isIn(4e6, 36e6);
            array.close();
        }
    }

    @Test
    void vectorOperationsFollowTheChosenQueue() {
        NDArray x = NDArray.full(1, DType.F64, 10);
        NDArray y = NDArray.full(2, DType.F64, 10);
        CountDownLatch go = new CountDownLatch(1);
        Ticket blocked = block(first, x, go, 3);
        NDArray[] sum = new NDArray[1];
        second.during(() -> {
            y.axpy(2, x);
            y.scale(10);
            try (Scope scope = Scope.open()) {
                sum[0] = scope.keep(y.multiply(y).add(x).add(0.5));
            }
        });
        assertThat(blocked.isDone()).isFalse();
        go.countDown();
        assertThat(y.get(9)).isEqualTo(80);
        assertThat(sum[0].get(9)).isEqualTo(6403.5);
    }

    @Test
    void halvesWrittenOnTwoQueuesAreBothThere() {
        for (int i = 1; i <= 200; i++) {
            NDArray array = NDArray.zeros(DType.F64, 1000);
            double value = i;
            first.during(() -> array.slice(0, 0, 500).fill(value));
            second.during(() -> array.slice(0, 500, 1000).fill(value));
            assertThat(array.sum().get()).isEqualTo(1000 * value);
            array.close();
        }
    }

    @Test
    void aSourceMayBeChangedRightAfterACopyOfItWasSubmitted() {
        NDArray source = NDArray.full(1, DType.F64, 10);
        NDArray target = NDArray.zeros(DType.F64, 10);
        CountDownLatch go = new CountDownLatch(1);
        block(first, target, go, 0);
        first.during(() -> target.assign(source));
        second.submit(List.of(), go::countDown);
        source.fill(2);
        assertThat(target.get(9)).isEqualTo(1);
    }

    @Test
    void anArrayMayBeDroppedWhileAQueueUsesIt() {
        NDArray target = NDArray.zeros(DType.F64, 1 << 14);
        CountDownLatch go = new CountDownLatch(1);
        block(first, target, go, 0);
        first.during(() -> target.assign(NDArray.full(7, DType.F64, 1 << 14)));
        System.gc();
        NDArray other = NDArray.full(8, DType.F64, 1 << 14);
        go.countDown();
        assertThat(target.min().get()).isEqualTo(7);
        assertThat(other.min().get()).isEqualTo(8);
    }

    @Test
    void threadsMayUpdateOneArrayTogether() throws InterruptedException {
        NDArray array = NDArray.zeros(DType.F64, 3000);
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            Queue queue = t % 2 == 0 ? Device.jvm().queue() : first;
            threads.add(Thread.ofPlatform().start(() -> {
                for (int i = 0; i < 500; i++) queue.during(() -> array.addInPlace(1));
            }));
        }
        for (Thread thread : threads) thread.join();
        assertThat(array.min().get()).isEqualTo(2000);
        assertThat(array.max().get()).isEqualTo(2000);
    }

    @Test
    void randomOperationsOnSeveralQueuesEndAsOnOneThread() {
        Seeded.cases(2_000, random -> {
            long operations = random.nextLong();
            NDArray alone = NDArray.random(1, DType.F64, 6, 8);
            SplittableRandom choices = new SplittableRandom(operations);
            for (int i = 0; i < 15; i++) operate(alone, choices);
            NDArray queued = NDArray.random(1, DType.F64, 6, 8);
            List<Queue> queues = new ArrayList<>(List.of(Device.jvm().queue(), first, second));
            if (random.nextInt(20) == 0) queues.add(JvmDevice.instance().newDelayedQueue(operations, 50_000));
            choices = new SplittableRandom(operations);
            for (int i = 0; i < 15; i++) {
                SplittableRandom same = choices;
                queues.get(random.nextInt(queues.size())).during(() -> operate(queued, same));
            }
            assertThat(queued.toDoubles()).isEqualTo(alone.toDoubles());
            alone.close();
            queued.close();
        });
    }

    private static void operate(NDArray array, SplittableRandom random) {
        try (Scope scope = Scope.open()) {
            assertThat(scope).isNotNull();
            NDArray a = part(array, random);
            NDArray b = part(array, random);
            switch (random.nextInt(9)) {
                case 0 -> a.fill(random.nextInt(5));
                case 1 -> a.scale(0.5);
                case 2 -> a.axpy(0.25, b);
                case 3 -> a.assign(b);
                case 4 -> a.addInPlace(b.multiply(b).tanh());
                case 5 -> a.multiplyInPlace(0.75);
                case 6 -> a.set(b.sum().get() / 100, 1, 1);
                case 7 -> a.axpby(0.5, b.cos(), 0.125);
                default -> a.assign(b.transpose().matmul(a).slice(0, 0, 3));
            }
        }
    }

    /** A rectangle of 3 x 4 elements, every second one or neighbours. */
    private static NDArray part(NDArray array, SplittableRandom random) {
        NDArray rows = random.nextBoolean()
                ? array.slice(0, random.nextInt(2), 6, 2)
                : array.slice(0, random.nextInt(4), array.dim(0));
        rows = rows.slice(0, 0, 3);
        if (random.nextBoolean()) return rows.slice(1, random.nextInt(2), 8, 2);
        int from = random.nextInt(5);
        return rows.slice(1, from, from + 4);
    }
}

package io.penstock.runtime.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.testing.Seeded;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WorkerPoolTest {
    @Test
    void piecesCoverTheRangeOnceAndCutsAreAligned() {
        WorkerPool[] pools = {new WorkerPool(1), new WorkerPool(2), new WorkerPool(3), new WorkerPool(9)};
        Seeded.cases(2000, random -> {
            int count = random.nextInt(0, 1 << random.nextInt(1, 14));
            long grain = random.nextInt(10) == 0 ? Long.MAX_VALUE : random.nextLong(1, 1L << random.nextInt(1, 12));
            AtomicIntegerArray visits = new AtomicIntegerArray(count);
            pools[random.nextInt(pools.length)].parallel(count, grain, (from, to) -> {
                assertThat(from).isLessThan(to);
                assertThat(from % grain).isZero();
                if (to != count) assertThat(to % grain).isZero();
                for (long i = from; i < to; i++) visits.incrementAndGet((int) i);
            });
            for (int i = 0; i < count; i++) assertThat(visits.get(i)).isOne();
        });
    }

    @Test
    void hugeCountsDoNotOverflow() {
        AtomicLong sum = new AtomicLong();
        new WorkerPool(3).parallel(Long.MAX_VALUE, 1, (from, to) -> sum.addAndGet(to - from));
        assertThat(sum.get()).isEqualTo(Long.MAX_VALUE);
        sum.set(0);
        new WorkerPool(3).parallel(Long.MAX_VALUE, Long.MAX_VALUE - 1, (from, to) -> sum.addAndGet(to - from));
        assertThat(sum.get()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void refusesBadArguments() {
        WorkerPool pool = new WorkerPool(2);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> pool.parallel(-1, 1, (from, to) -> {}))
                .withMessage("count is -1; expected 0 or more");
        assertThatIllegalArgumentException().isThrownBy(() -> pool.parallel(1, 0, (from, to) -> {}));
        assertThatIllegalArgumentException().isThrownBy(() -> pool.sharing(0, () -> {}));
        assertThatIllegalArgumentException().isThrownBy(() -> new WorkerPool(0));
    }

    @Test
    void usesAllThreadsAndOnlyAShareWhenShared() throws Exception {
        WorkerPool pool = new WorkerPool(4);
        CountDownLatch four = new CountDownLatch(4);
        pool.parallel(4, 1, (from, to) -> {
            four.countDown();
            awaitUninterruptibly(four);
        });
        Set<Thread> seen = ConcurrentHashMap.newKeySet();
        pool.sharing(4, () -> pool.parallel(10_000, 1, (from, to) -> seen.add(Thread.currentThread())));
        assertThat(seen).containsExactly(Thread.currentThread());
        pool.sharing(100, () -> pool.parallel(10, 1, (from, to) -> seen.add(Thread.currentThread())));
        assertThat(seen).containsExactly(Thread.currentThread());
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aFreeWorkerHelpsWhileAnotherIsBusy() {
        WorkerPool pool = new WorkerPool(4);
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch held = new CountDownLatch(2);
        CompletableFuture<Void> long1 = CompletableFuture.runAsync(() -> pool.sharing(
                2,
                () -> pool.parallel(2, 1, (from, to) -> {
                    held.countDown();
                    awaitUninterruptibly(release);
                })));
        awaitUninterruptibly(held);
        for (int round = 0; round < 20; round++) {
            CountDownLatch both = new CountDownLatch(2);
            pool.sharing(
                    2,
                    () -> pool.parallel(2, 1, (from, to) -> {
                        both.countDown();
                        awaitUninterruptibly(both);
                    }));
        }
        release.countDown();
        long1.join();
    }

    @Test
    void callsForHelpDoNotPileUpWhileWorkersAreBusy() {
        WorkerPool pool = new WorkerPool(2);
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch held = new CountDownLatch(2);
        CompletableFuture<Void> busy = CompletableFuture.runAsync(() -> pool.parallel(2, 1, (from, to) -> {
            held.countDown();
            awaitUninterruptibly(release);
        }));
        awaitUninterruptibly(held);
        for (int i = 0; i < 1000; i++) pool.parallel(100, 1, (from, to) -> {});
        assertThat(pool.unansweredCalls()).isZero();
        release.countDown();
        busy.join();
    }

    @Test
    void theFirstFailureReachesTheCallerAndThePoolGoesOn() {
        WorkerPool pool = new WorkerPool(3);
        for (int round = 0; round < 200; round++) {
            int bad = round;
            assertThatThrownBy(() -> pool.parallel(200, 1, (from, to) -> {
                        if (from <= bad && bad < to) throw new ArithmeticException("item " + bad);
                    }))
                    .isInstanceOf(ArithmeticException.class)
                    .hasMessage("item " + bad);
        }
        assertThatThrownBy(() -> pool.parallel(100, 1, (from, to) -> {
                    throw new AssertionError("all fail");
                }))
                .isInstanceOf(AssertionError.class);
        AtomicLong sum = new AtomicLong();
        pool.parallel(100, 1, (from, to) -> sum.addAndGet(to - from));
        assertThat(sum.get()).isEqualTo(100);
    }

    @Test
    void loopsWithinLoopsEnd() {
        WorkerPool pool = new WorkerPool(3);
        AtomicLong sum = new AtomicLong();
        pool.parallel(
                20,
                1,
                (from, to) -> pool.parallel(
                        (to - from) * 10, 1, (a, b) -> pool.parallel((b - a) * 5, 1, (c, d) -> sum.addAndGet(d - c))));
        assertThat(sum.get()).isEqualTo(1000);
    }

    @Test
    void nestedLoopsOfASharerKeepToItsShare() {
        WorkerPool pool = new WorkerPool(4);
        Set<Boolean> alone = ConcurrentHashMap.newKeySet();
        pool.sharing(
                2,
                () -> pool.parallel(50, 1, (from, to) -> {
                    // A share of two threads, of which the innermost call may use both: never all four.
                    Set<Thread> seen = ConcurrentHashMap.newKeySet();
                    pool.parallel(50, 1, (a, b) -> seen.add(Thread.currentThread()));
                    alone.add(seen.size() <= 2);
                }));
        assertThat(alone).containsExactly(true);
    }

    @Test
    void anInterruptedCallerStillWaitsAndKeepsItsFlag() {
        WorkerPool pool = new WorkerPool(3);
        AtomicLong sum = new AtomicLong();
        Thread.currentThread().interrupt();
        pool.parallel(1000, 1, (from, to) -> sum.addAndGet(to - from));
        assertThat(Thread.interrupted()).isTrue();
        assertThat(sum.get()).isEqualTo(1000);
        Thread caller = Thread.currentThread();
        pool.parallel(100, 1, (from, to) -> {
            if (Thread.currentThread() != caller) Thread.currentThread().interrupt();
        });
        Set<Boolean> interrupted = ConcurrentHashMap.newKeySet();
        for (int i = 0; i < 50; i++)
            pool.parallel(
                    100, 1, (from, to) -> interrupted.add(Thread.currentThread().isInterrupted()));
        assertThat(interrupted).containsExactly(false);
    }

    @Test
    void manyMoreRanksThanCoresFinish() {
        WorkerPool pool = new WorkerPool(3);
        try (ExecutorService ranks = Executors.newFixedThreadPool(40)) {
            List<CompletableFuture<Long>> sums = new ArrayList<>();
            for (int r = 0; r < 40; r++) {
                int sharers = 1 + r % 3;
                sums.add(CompletableFuture.supplyAsync(
                        () -> {
                            AtomicLong sum = new AtomicLong();
                            for (int i = 0; i < 300; i++)
                                pool.sharing(
                                        sharers, () -> pool.parallel(64, 1, (from, to) -> sum.addAndGet(to - from)));
                            return sum.get();
                        },
                        ranks));
            }
            for (CompletableFuture<Long> sum : sums) assertThat(sum.join()).isEqualTo(64L * 300);
        }
    }
}

package io.penstock.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Threads that submit at the same time, unordered among themselves: whatever order comes out, no two pieces of work ever touch a
 * byte together when one of them writes it, and nothing is stuck.
 */
@Timeout(120)
class RacingSubmissionsTest {
    private static final int BUFFERS = 3;
    private static final int BYTES = 64;

    /** For each byte: how many pieces of work read it now, or -1 while one writes it. */
    private final AtomicIntegerArray users = new AtomicIntegerArray(BUFFERS * BYTES);

    private final AtomicInteger collisions = new AtomicInteger();
    private final AtomicInteger done = new AtomicInteger();

    @Test
    void neverMeetOnAByte() throws InterruptedException {
        race(20_000);
        assertThat(collisions.get()).isZero();
        assertThat(done.get()).isEqualTo(4 * 20_000);
    }

    @Test
    void meetWithoutWaits() throws InterruptedException {
        Ledger.waits = false;
        try {
            race(20_000);
        } finally {
            Ledger.waits = true;
        }
        assertThat(collisions.get()).isPositive();
    }

    private void race(int rounds) throws InterruptedException {
        Buffer[] buffers = new Buffer[BUFFERS];
        for (int k = 0; k < BUFFERS; k++) buffers[k] = Device.jvm().allocate(BYTES, MemoryKind.HOST);
        List<Queue> queues = new ArrayList<>(List.of(Device.jvm().queue()));
        for (int q = 0; q < 3; q++) queues.add(Device.jvm().newQueue());
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            SplittableRandom random = new SplittableRandom(t);
            threads.add(Thread.ofPlatform().start(() -> {
                for (int i = 0; i < rounds; i++) submit(queues.get(random.nextInt(queues.size())), buffers, random);
            }));
        }
        for (Thread thread : threads) thread.join();
        for (Queue queue : queues) queue.await();
        for (Buffer buffer : buffers) buffer.close();
    }

    private void submit(Queue queue, Buffer[] buffers, SplittableRandom random) {
        int a = random.nextInt(BUFFERS);
        int b = random.nextInt(BUFFERS);
        Region from = RegionTest.random(random, 4);
        Region to = RegionTest.random(random, 4);
        BitSet written = new BitSet();
        RegionTest.bytes(to).stream().forEach(i -> written.set(b * BYTES + i));
        BitSet read = new BitSet();
        RegionTest.bytes(from).stream().forEach(i -> read.set(a * BYTES + i));
        read.andNot(written);
        boolean dawdles = random.nextInt(100) == 0;
        queue.submit(List.of(Access.read(buffers[a], from), Access.write(buffers[b], to)), () -> {
            written.stream().forEach(i -> collide(!users.compareAndSet(i, 0, -1)));
            read.stream().forEach(i -> collide(users.getAndIncrement(i) < 0));
            if (dawdles) LockSupport.parkNanos(10_000);
            written.stream().forEach(users::incrementAndGet);
            read.stream().forEach(users::decrementAndGet);
            done.incrementAndGet();
        });
    }

    private void collide(boolean collides) {
        if (collides) collisions.incrementAndGet();
    }
}

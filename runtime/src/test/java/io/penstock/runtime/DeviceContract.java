package io.penstock.runtime;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.testing.Seeded;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What every device with a compiler owes its users: kinds of failures that users of other systems have met, by their numbers in
 * docs/failures.md, and what may overlap in time and what may not, by the device's own clock.
 */
@Timeout(120)
abstract class DeviceContract {
    /** Two devices, or one twice. */
    abstract List<CompilingDevice> devices();

    /** Memory that kernels of both devices may use. */
    abstract Buffer shared(long bytes);

    /** How many rounds of a loop keep an item busy for about a tenth of a second. */
    abstract long longSpins();

    /** Some tests would take the exception that skips them for one that they look for. */
    @BeforeEach
    void thereIsADevice() {
        one();
    }

    private CompilingDevice one() {
        return devices().getFirst();
    }

    private CompilingDevice other() {
        return devices().getLast();
    }

    private DriverQueue queue(CompilingDevice device) {
        return (DriverQueue) device.newQueue();
    }

    private static Buffer host(long bytes) {
        return Device.jvm().allocate(bytes, MemoryKind.HOST);
    }

    private static Buffer ints(Device device, long count) {
        Buffer buffer = device.allocate(4 * count, MemoryKind.DEVICE);
        device.queue().fill(buffer, Box.contiguous(0, 4 * count), 0, 0, 4);
        return buffer;
    }

    /** An element, once what writes it is over. */
    private static int read(Buffer buffer, long index) {
        try (Buffer copy = host(4)) {
            buffer.device().queue().copy(buffer.slice(4 * index, 4), copy);
            return copy.segment().get(JAVA_INT, 0);
        }
    }

    private static Ticket set(Queue queue, Buffer to, long index, int value, long spins) {
        DeviceLaunch launch = DeviceKernels.of(queue.device()).set(to, index, value, spins);
        return queue.submit(List.of(Access.write(to.slice(4 * index, 4))), () -> launch.issue(queue));
    }

    private static Ticket add(Queue queue, Buffer to, int value) {
        DeviceLaunch launch = DeviceKernels.of(queue.device()).add(to, to.bytes() / 4, value);
        return queue.submit(List.of(Access.write(to)), () -> launch.issue(queue));
    }

    // What overlaps in time ----------------------------------------------------------------------------------------

    /** When a launch began and ended. */
    private record Span(DriverQueue.Event begin, DriverQueue.Event end) {
        boolean overlaps(Span later) {
            return later.begin.nanos() < end.nanos() && begin.nanos() < later.end.nanos();
        }
    }

    private static Span timed(DriverQueue queue, List<Access> accesses, DeviceLaunch launch) {
        Span span = new Span(queue.newEvent(true), queue.newEvent(true));
        queue.submit(accesses, () -> {
            span.begin.record();
            launch.issue(queue);
            span.end.record();
        });
        return span;
    }

    /** Whether two launches that take a while run at the same time. */
    private boolean overlap(DriverQueue first, Access one, DriverQueue second, Access another) {
        try (Buffer dump = shared(8192)) {
            // Compiled and warm, so that nothing but order can keep them apart.
            for (DriverQueue queue : List.of(first, second))
                set(queue, dump, queue.equals(first) ? 0 : 1024, 1, 1).await();
            Span a = timed(first, List.of(one), DeviceKernels.of(first.device()).set(dump, 0, 1, longSpins()));
            Span b = timed(
                    second, List.of(another), DeviceKernels.of(second.device()).set(dump, 1024, 1, longSpins()));
            first.await();
            second.await();
            return a.overlaps(b);
        }
    }

    private void pairs(PairOfQueues check) {
        check.check(queue(one()), queue(other()));
        check.check(queue(one()), queue(one()));
    }

    private interface PairOfQueues {
        void check(DriverQueue first, DriverQueue second);
    }

    /** Kinds 1, 2 and 14: order is by bytes, and needs nobody to ask for it. */
    @Test
    void disjointPartsOfOneArrayAreWrittenAtTheSameTime() {
        pairs((first, second) -> {
            try (Buffer array = shared(1 << 16)) {
                assertThat(overlap(
                                first,
                                Access.write(array.slice(0, 1 << 15)),
                                second,
                                Access.write(array.slice(1 << 15, 1 << 15))))
                        .isTrue();
                assertThat(overlap(
                                first,
                                Access.write(array, new Region(0, 4, 1000, 8)),
                                second,
                                Access.write(array, new Region(4, 4, 1000, 8))))
                        .isTrue();
            }
        });
    }

    @Test
    void overlappingPartsAreWrittenOneAfterTheOther() {
        pairs((first, second) -> {
            try (Buffer array = shared(1 << 16)) {
                assertThat(overlap(
                                first,
                                Access.write(array.slice(0, 40_000)),
                                second,
                                Access.write(array.slice(30_000, 30_000))))
                        .isFalse();
                assertThat(overlap(
                                first,
                                Access.write(array, new Region(0, 5, 1000, 8)),
                                second,
                                Access.read(array, new Region(4, 4, 1000, 8))))
                        .isFalse();
                assertThat(overlap(first, Access.read(array), second, Access.write(array.slice(100, 4))))
                        .isFalse();
            }
        });
    }

    @Test
    void readersReadAtTheSameTime() {
        pairs((first, second) -> {
            try (Buffer array = shared(1 << 16)) {
                assertThat(overlap(first, Access.read(array), second, Access.read(array)))
                        .isTrue();
            }
        });
    }

    @Test
    void aHostReadOfOneHalfDoesNotWaitForTheOthersWriter() {
        DriverQueue queue = queue(one());
        DriverQueue beside = queue(one());
        try (Buffer array = ints(one(), 2);
                Buffer copy = host(4)) {
            // What is made when it is first needed, as pinned memory to stage copies by, may take its time.
            beside.copy(array.slice(4, 4), copy).await();
            Ticket slow = set(queue, array, 0, 5, longSpins());
            beside.copy(array.slice(4, 4), copy);
            assertThat(copy.segment().get(JAVA_INT, 0)).isZero();
            assertThat(slow.isDone()).isFalse();
            assertThat(read(array, 0)).isEqualTo(5);
        }
    }

    // Traps --------------------------------------------------------------------------------------------------------

    /** Trap a. */
    @Test
    void halvesWrittenByTwoQueuesAreBothThereForTheHost() {
        pairs((first, second) -> {
            try (Buffer array = shared(8);
                    Buffer copy = host(8)) {
                set(first, array, 0, 11, longSpins());
                set(second, array, 1, 22, longSpins() / 2);
                array.device().queue().copy(array, copy);
                assertThat(copy.segment().toArray(JAVA_INT)).containsExactly(11, 22);
            }
        });
    }

    /** Trap b and kind 8: memory that is closed or dropped while work is under way on it is nobody else's yet. */
    @Test
    void memoryInUseIsNotGivenToOthers() {
        pairs((first, second) -> {
            for (int round = 0; round < 5; round++) {
                Buffer dropped = shared(4096);
                set(first, dropped, 0, 77, longSpins() / 5);
                dropped.close();
                List<Buffer> others = new ArrayList<>();
                for (int k = 0; k < 8; k++) {
                    Buffer taken = shared(4096);
                    second.fill(taken, Box.contiguous(0, 4096), 0x5a5a5a5a, 0, 4);
                    others.add(taken);
                }
                second.await();
                first.await();
                for (Buffer taken : others) {
                    assertThat(read(taken, 0)).isEqualTo(0x5a5a5a5a);
                    taken.close();
                }
            }
        });
    }

    /** Kind 8, with nobody who closes. */
    @Test
    void unreachableMemoryIsGivenBackOnlyAfterItsWork() throws InterruptedException {
        long bytes = one().memoryUse().limit() / 2;
        Ticket slow = dropAfterSubmitting(queue(one()), bytes);
        System.gc();
        Thread.sleep(20);
        // When the work is still under way after this look, the memory was there when it was looked at.
        boolean there = one().memoryUse().live() >= bytes;
        assertThat(there || slow.isDone()).isTrue();
        slow.await();
        for (int k = 0; k < 200 && one().memoryUse().live() >= bytes; k++) {
            System.gc();
            Thread.sleep(10);
        }
        assertThat(one().memoryUse().live()).isLessThan(bytes);
    }

    private Ticket dropAfterSubmitting(DriverQueue queue, long bytes) {
        return set(queue, one().allocate(bytes, MemoryKind.DEVICE), 0, 1, longSpins());
    }

    /** Trap d and kind 3: of two threads that use an array at the same time, neither overlooks the other. */
    @Test
    void launchesAndCopiesOfTwoThreadsLoseNothing() throws Exception {
        int rounds = 400;
        try (Buffer array = shared(256);
                Buffer copies = shared(256)) {
            one().queue().fill(array, Box.contiguous(0, 256), 0, 0, 4);
            run(2, thread -> {
                DriverQueue queue = queue(devices().get(thread));
                for (int k = 0; k < rounds; k++) {
                    add(queue, array, 1);
                    if (k % 10 == 0) queue.copy(array, copies);
                }
            });
            assertThat(read(array, 63)).isEqualTo(2 * rounds);
        }
    }

    /** Trap f and kind 5: what a copy reads on the host is not changed before it has. */
    @Test
    void theSourceOfACopyMayBeChangedAtOnce() {
        DriverQueue queue = queue(one());
        for (MemoryKind kind : List.of(MemoryKind.PINNED, MemoryKind.HOST)) {
            Device owner = kind == MemoryKind.HOST ? Device.jvm() : one();
            try (Buffer source = owner.allocate(4096, kind);
                    Buffer array = ints(one(), 1024)) {
                source.segment().fill((byte) 1);
                set(queue, array, 0, 9, longSpins() / 2);
                queue.copy(source, array);
                source.segment().fill((byte) 2);
                assertThat(read(array, 0)).isEqualTo(0x01010101);
            }
        }
    }

    /** Kind 5: nor is it given away. */
    @Test
    void theSourceOfACopyMayBeClosedAtOnce() {
        DriverQueue queue = queue(one());
        try (Buffer array = ints(one(), 1024)) {
            Buffer source = host(4096);
            source.segment().fill((byte) 1);
            set(queue, array, 0, 9, longSpins() / 2);
            queue.copy(source, array);
            source.close();
            for (int k = 0; k < 16; k++) host(4096).segment().fill((byte) 3);
            assertThat(read(array, 0)).isEqualTo(0x01010101);
        }
    }

    /** Trap g: who waits for one device is not told of the failure of another. */
    @Test
    void aFailureIsToldToWhoeverWaitsForThatWorkOnly() throws Exception {
        try (Buffer bad = ints(one(), 1);
                Buffer good = ints(other(), 1)) {
            DriverQueue failing = queue(one());
            DriverQueue fine = queue(other());
            set(failing, bad, 0, 13, 0);
            DeviceLaunch check = DeviceKernels.of(one()).check(bad, 0, longSpins() / 10);
            Ticket failed = failing.submit(List.of(Access.write(bad)), () -> check.issue(failing));
            run(2, thread -> {
                if (thread == 0)
                    for (int k = 0; k < 20; k++) set(fine, good, 0, k, 10).await();
                else
                    assertThatThrownBy(failed::await)
                            .isInstanceOf(ArithmeticException.class)
                            .hasMessage("found 13");
            });
            assertThat(read(good, 0)).isEqualTo(19);
            set(failing, bad, 0, 0, 0).await();
            assertThat(read(bad, 0)).isZero();
        }
    }

    /** A failure is found again after others, and by what came of it on another queue. */
    @Test
    void failuresAreBoundToTheirLaunch() {
        DriverQueue failing = queue(one());
        DriverQueue after = queue(other());
        try (Buffer array = shared(64);
                Buffer result = shared(64)) {
            for (int round = 1; round < 6; round++) {
                set(failing, array, 0, round, 0);
                DeviceLaunch check = DeviceKernels.of(one()).check(array, 0, 1000);
                failing.submit(List.of(Access.write(array)), () -> check.issue(failing));
                DeviceLaunch get = DeviceKernels.of(other()).get(array, 0, result, 0, 0);
                Ticket reader = after.submit(List.of(Access.read(array), Access.write(result)), () -> get.issue(after));
                assertThatThrownBy(reader::await)
                        .isInstanceOf(ArithmeticException.class)
                        .hasMessage("found " + round);
                failing.await();
                after.await();
            }
        }
    }

    /** Others follow the queue further than the launch that failed, and nobody looks at it meanwhile. */
    @Test
    void aFailureIsFoundBehindWhatWasFollowedLater() {
        DriverQueue failing = queue(one());
        DriverQueue beside = queue(one());
        try (Buffer bad = ints(one(), 1);
                Buffer good = ints(one(), 1);
                Buffer seen = one().allocate(8, MemoryKind.DEVICE)) {
            set(failing, good, 0, 1, 0);
            beside.copy(good, seen.slice(0, 4));
            set(failing, bad, 0, 19, 0);
            DeviceLaunch check = DeviceKernels.of(one()).check(bad, 0, longSpins() / 10);
            failing.submit(List.of(Access.write(bad)), () -> check.issue(failing));
            beside.copy(bad, seen.slice(4, 4));
            failing.fill(good, Box.contiguous(0, 4), 2, 0, 4);
            beside.copy(good, seen.slice(0, 4));
            assertThatThrownBy(beside::await)
                    .isInstanceOf(ArithmeticException.class)
                    .hasMessage("found 19");
        }
    }

    /** A body that asks for its thread's queue gets that of the thread that issues it, beside the order of its own. */
    @Test
    void aLaunchGoesToTheQueueWhoseWorkItIs() {
        DriverQueue own = queue(one());
        DriverQueue other = queue(one());
        try (Buffer array = ints(one(), 1)) {
            DeviceLaunch launch = DeviceKernels.of(one()).set(array, 0, 7, 0);
            set(other, array, 0, 5, 0);
            assertThatThrownBy(() -> own.submit(List.of(Access.write(array)), () -> launch.issue(other)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining(other.toString());
            assertThatThrownBy(() -> launch.issue(own)).isInstanceOf(IllegalStateException.class);
            own.await();
            other.await();
            assertThat(read(array, 0)).isEqualTo(5);
        }
    }

    /** Trap h. */
    @Test
    void anArrayOutlivesTheQueueThatWroteIt() throws InterruptedException {
        try (Buffer array = ints(one(), 1)) {
            writeOnAQueueThatIsDropped(array);
            for (int k = 0; k < 3; k++) {
                System.gc();
                Thread.sleep(10);
            }
            set(queue(other()), array, 0, read(array, 0) + 1, 0);
            assertThat(read(array, 0)).isEqualTo(43);
        }
    }

    private void writeOnAQueueThatIsDropped(Buffer array) {
        set(queue(one()), array, 0, 42, longSpins() / 5);
    }

    // Other failures that users have met ---------------------------------------------------------------------------

    /** Kind 1: a thread that ends before its work. */
    @Test
    void theWorkOfAThreadThatEndedIsThereForOthers() throws InterruptedException {
        try (Buffer array = ints(one(), 1)) {
            Thread.ofPlatform()
                    .start(() -> set(queue(one()), array, 0, 5, longSpins() / 2))
                    .join();
            assertThat(read(array, 0)).isEqualTo(5);
        }
    }

    /** Kind 7: the collector may run while threads wait for a device, and any thread may wait. */
    @Test
    void theCollectorAndWaitingThreadsDoNotStopEachOther() throws Exception {
        try (Buffer array = ints(one(), 4)) {
            DriverQueue queue = queue(one());
            Ticket slow = set(queue, array, 0, 1, longSpins());
            run(3, thread -> {
                if (thread == 0) for (int k = 0; k < 5; k++) System.gc();
                slow.await();
            });
            assertThat(read(array, 0)).isEqualTo(1);
        }
    }

    /** Kind 9: memory is given back while a thread is in the middle of a submission. */
    @Test
    void unreachableMemoryIsGivenBackWhileTheLedgerIsLocked() {
        DriverQueue queue = queue(one());
        try (Buffer array = ints(one(), 1)) {
            long bytes = one().memoryUse().limit() / 2;
            dropAfterSubmitting(queue, bytes).await();
            boolean[] freed = new boolean[1];
            queue.submit(List.of(Access.write(array)), () -> {
                for (int k = 0; k < 200 && !freed[0]; k++) {
                    System.gc();
                    java.util.concurrent.locks.LockSupport.parkNanos(10_000_000);
                    freed[0] = one().memoryUse().live() < bytes;
                }
            });
            assertThat(freed[0]).isTrue();
        }
    }

    /** Kind 10: what other threads have dropped is reclaimed, and with it comes what is only closed. */
    @Test
    void threadsUnderPressureReclaimInsteadOfFailing() throws Exception {
        long limit = one().memoryUse().limit();
        run(4, thread -> {
            for (int k = 0; k < 25; k++) {
                Buffer taken = one().allocate(limit / 6, MemoryKind.DEVICE);
                if (k % 4 != 0) taken.close();
            }
        });
    }

    /** Kinds 10 and 11: memory of all kinds has a limit, and an error with sizes instead of an end of the process. */
    @Test
    void tooLittleMemoryIsToldWithSizes() {
        for (MemoryKind kind : kinds()) {
            List<Buffer> taken = new ArrayList<>();
            long piece = one().memoryUse().limit() / 3;
            try {
                assertThatThrownBy(() -> {
                            for (int k = 0; k < 10_000; k++) taken.add(one().allocate(piece, kind));
                        })
                        .isInstanceOf(DeviceMemoryException.class)
                        .hasMessageContaining("asked for")
                        .hasMessageContaining("free")
                        .hasMessageContaining("pooled")
                        .hasMessageContaining("largest live");
            } finally {
                taken.forEach(Buffer::close);
            }
            Reclaimer.drain();
            one().allocate(piece, kind).close();
        }
    }

    private List<MemoryKind> kinds() {
        List<MemoryKind> kinds = new ArrayList<>();
        for (MemoryKind kind : List.of(MemoryKind.DEVICE, MemoryKind.PINNED, MemoryKind.UNIFIED)) {
            try {
                one().allocate(64, kind).close();
                kinds.add(kind);
            } catch (UnsupportedOperationException e) {
                assertThat(e).hasMessageContaining(one().name());
            }
        }
        return kinds;
    }

    /** Kind 14. */
    @Test
    void memoryThatADeviceCannotReachIsNamedBeforeTheLaunch() {
        try (Buffer host = host(64)) {
            assertThatThrownBy(() -> DeviceKernels.of(one()).set(host, 0, 1, 0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("HOST")
                    .hasMessageContaining(one().name());
        }
    }

    /** Kinds 15 and 16: copies between all memories, on a queue of any device, whatever queue is the thread's. */
    @Test
    void copiesMoveBoxesBetweenAllMemories() {
        Seeded.cases(150, random -> {
            Box source = box(random, random.nextInt(1, 4), random.nextInt(1, 5), random.nextInt(1, 40));
            Box target = box(random, source.planes(), source.rows(), source.rowBytes());
            byte[] bytes = new byte[Math.toIntExact(source.region().end())];
            byte[] expected = new byte[Math.toIntExact(target.region().end())];
            for (int k = 0; k < bytes.length; k++) bytes[k] = (byte) random.nextInt();
            for (int k = 0; k < expected.length; k++) expected[k] = (byte) random.nextInt();
            try (Buffer from = anywhere(random, bytes);
                    Buffer to = anywhere(random, expected);
                    Buffer after = host(expected.length)) {
                Queue queue = random.nextInt(5) == 0
                        ? Device.jvm().newQueue()
                        : queue(devices().get(random.nextInt(2)));
                queue(other()).during(() -> queue.copy(from, source, to, target));
                queue(one()).copy(to, after);
                for (long plane = 0; plane < source.planes(); plane++)
                    for (long row = 0; row < source.rows(); row++)
                        System.arraycopy(
                                bytes,
                                at(source, plane, row),
                                expected,
                                at(target, plane, row),
                                Math.toIntExact(source.rowBytes()));
                assertThat(after.segment().toArray(JAVA_BYTE)).isEqualTo(expected);
            }
        });
    }

    private Buffer anywhere(SplittableRandom random, byte[] bytes) {
        List<MemoryKind> kinds = new ArrayList<>(kinds());
        kinds.add(MemoryKind.HOST);
        MemoryKind kind = kinds.get(random.nextInt(kinds.size()));
        Buffer made = kind == MemoryKind.HOST
                ? host(bytes.length)
                : devices().get(random.nextInt(2)).allocate(bytes.length, kind);
        try (Buffer staged = host(bytes.length)) {
            staged.segment().copyFrom(MemorySegment.ofArray(bytes));
            queue(one()).copy(staged, made);
        }
        return made;
    }

    private static int at(Box box, long plane, long row) {
        return Math.toIntExact(box.offset() + plane * box.planeStride() + row * box.rowStride());
    }

    private static Box box(SplittableRandom random, long planes, long rows, long rowBytes) {
        long rowStride = rowBytes + (random.nextBoolean() ? 0 : random.nextInt(9));
        long planeStride = rows * rowStride + (random.nextBoolean() ? 0 : random.nextInt(30));
        return new Box(random.nextInt(16), rowBytes, rows, rowStride, planes, planeStride);
    }

    @Test
    void fillsRepeatValuesOfEveryWidth() {
        List<MemoryKind> kinds = kinds();
        Seeded.cases(100, random -> {
            int width = 1 << random.nextInt(5);
            long rowBytes = (long) width * random.nextInt(1, 30);
            long rows = random.nextInt(1, 5);
            long rowStride = rowBytes + (long) width * random.nextInt(3);
            long planes = random.nextInt(1, 4);
            long planeStride = rows * rowStride + (long) width * random.nextInt(4);
            Box box = new Box(random.nextInt(40), rowBytes, rows, rowStride, planes, planeStride);
            long low = random.nextLong();
            long high = random.nextLong();
            long size = box.region().end() + 16;
            byte[] expected = new byte[Math.toIntExact(size)];
            java.util.Arrays.fill(expected, (byte) 0x77);
            for (int plane = 0; plane < planes; plane++)
                for (int row = 0; row < rows; row++)
                    for (int i = 0; i < rowBytes; i++)
                        expected[at(box, plane, row) + i] =
                                (byte) ((i % width < 8 ? low : high) >>> (8 * (i % width % 8)));
            Queue queue = queue(one());
            try (Buffer target = one().allocate(size, kinds.get(random.nextInt(kinds.size())));
                    Buffer after = host(size)) {
                queue.fill(target, Box.contiguous(0, size), 0x77, 0, 1);
                queue.fill(target, box, low, high, width);
                queue.copy(target, after);
                assertThat(after.segment().toArray(JAVA_BYTE)).isEqualTo(expected);
            }
        });
    }

    /** Kind 22: beyond 2^31 bytes. */
    @Test
    void offsetsGoBeyondAnInt() {
        long bytes = (1L << 31) + 4096;
        try (Buffer array = one().allocate(bytes, MemoryKind.DEVICE)) {
            long last = bytes / 4 - 1;
            Queue queue = queue(one());
            queue.fill(array, Box.contiguous(0, 4096), 7, 0, 4);
            queue.fill(array, Box.contiguous(bytes - 4096, 4096), 8, 0, 4);
            set(queue, array, last, 99, 0);
            assertThat(read(array, last)).isEqualTo(99);
            assertThat(read(array, last - 1)).isEqualTo(8);
            assertThat(read(array, 0)).isEqualTo(7);
            DeviceLaunch add = DeviceKernels.of(one()).add(array.slice(bytes - 4096, 4096), 1024, 1);
            queue.submit(List.of(Access.write(array.slice(bytes - 4096, 4096))), () -> add.issue(queue));
            assertThat(read(array, last)).isEqualTo(100);
        }
    }

    /** Kind 23: sizes that a device cannot have are named before the launch. */
    @Test
    void groupsThatAreTooLargeAreNamed() {
        DeviceFunction function = DeviceKernels.of(one()).function("add_ints");
        int most = function.mostGroupItems();
        assertThat(function.goodGroupItems(128, 0)).isBetween(1, most);
        assertThatThrownBy(() -> function.bind(
                        new long[] {1, 1, 1}, new int[] {most, 2, 1}, 0, List.of(), r -> new IllegalStateException()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(String.valueOf(2 * most));
        assertThatThrownBy(() -> function.bind(
                        new long[] {1, 1, 1},
                        new int[] {1, 1, 1},
                        one().code().mostGroupBytes() + 1,
                        List.of(),
                        r -> new IllegalStateException()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(String.valueOf(one().code().mostGroupBytes() + 1));
    }

    /** Kind 24: nothing to do is no error. */
    @Test
    void nothingIsMovedOrFilledWithoutAnError() {
        Queue queue = queue(one());
        try (Buffer none = one().allocate(0, MemoryKind.DEVICE);
                Buffer some = ints(one(), 4)) {
            queue.copy(none, none).await();
            queue.copy(none, Box.contiguous(0, 0), some, Box.contiguous(3, 0)).await();
            queue.fill(some, Box.rows(2, 0, 5, 1), 1, 0, 1).await();
            queue.fill(none, Box.contiguous(0, 0), 1, 0, 4).await();
            assertThat(read(some, 3)).isZero();
            assertThatThrownBy(() -> DeviceKernels.of(one())
                            .function("add_ints")
                            .bind(
                                    new long[] {0, 1, 1},
                                    new int[] {1, 1, 1},
                                    0,
                                    List.of(),
                                    r -> new IllegalStateException()))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    /** Kind 36: compilers, programs and functions serve many threads. */
    @Test
    void threadsCompileAndLaunchAtTheSameTime() throws Exception {
        boolean cuda = one().code().language() == DeviceCode.Language.CUDA;
        String text = cuda
                ? "extern \"C\" __global__ void add_one(int *to) { to[0] += 1; }"
                : "__kernel void add_one(__global int *to) { to[0] += 1; }";
        DeviceFunction shared = DeviceKernels.of(one()).function("set_int");
        assertThat(shared).isNotNull();
        run(4, thread -> {
            DriverQueue queue = queue(one());
            DeviceFunction own = one().code()
                    .load(one().code().compile(text + "/* " + thread + " */", List.of()))
                    .function("add_one");
            try (Buffer array = ints(one(), 2)) {
                DeviceLaunch launch = own.bind(
                        new long[] {1, 1, 1},
                        new int[] {1, 1, 1},
                        0,
                        List.of(new DeviceArgument.Memory(array)),
                        r -> new IllegalStateException());
                for (int k = 0; k < 200; k++) {
                    queue.submit(List.of(Access.write(array)), () -> launch.issue(queue));
                    set(queue, array, 1, 1000 * thread + k, 0);
                }
                assertThat(read(array, 0)).isEqualTo(200);
                assertThat(read(array, 1)).isEqualTo(1000 * thread + 199);
            }
        });
    }

    @Test
    void whatTheCompilerSaysIsTold() {
        assertThatThrownBy(() -> one().code().compile("this is no program;", List.of()))
                .isInstanceOf(DeviceCompilationException.class)
                .hasMessageContaining("error")
                .hasMessageContaining(one().name());
        assertThatThrownBy(() -> one().code().load(new byte[] {1, 2, 3}))
                .isInstanceOf(DeviceCompilationException.class);
        assertThatThrownBy(() -> DeviceKernels.of(one()).function("missing"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("missing");
    }

    /** What a thread of several does. */
    interface Part {
        void run(int thread) throws Exception;
    }

    /** Runs parts at the same time; throws what one of them throws. */
    static void run(int threads, Part part) throws Exception {
        try (ExecutorService service =
                Executors.newFixedThreadPool(threads, Thread.ofPlatform().factory())) {
            List<Future<?>> parts = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                int thread = t;
                parts.add(service.submit(() -> {
                    part.run(thread);
                    return 0;
                }));
            }
            for (Future<?> future : parts) future.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) throw error;
            if (e.getCause() instanceof Exception exception) throw exception;
            throw e;
        }
    }
}

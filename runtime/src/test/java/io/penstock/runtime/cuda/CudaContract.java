package io.penstock.runtime.cuda;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.runtime.Access;
import io.penstock.runtime.Allocation;
import io.penstock.runtime.Box;
import io.penstock.runtime.Buffer;
import io.penstock.runtime.Device;
import io.penstock.runtime.DeviceArgument;
import io.penstock.runtime.DeviceLaunch;
import io.penstock.runtime.DeviceMemoryException;
import io.penstock.runtime.MemoryKind;
import io.penstock.runtime.Queue;
import io.penstock.runtime.Region;
import io.penstock.runtime.Task;
import io.penstock.runtime.Ticket;
import io.penstock.testing.Seeded;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What two CUDA devices do, whether they are GPUs, contexts of one, or stand-ins. */
@Timeout(300)
abstract class CudaContract {
    /** Two devices. */
    abstract List<CudaDevice> devices();

    abstract TestKernels kernels(CudaDevice device);

    /** How much a device has to do for others to notice, in nanoseconds. */
    abstract long longTime();

    private CudaDevice device() {
        return devices().getFirst();
    }

    private static void fill(Buffer host, SplittableRandom random) {
        MemorySegment bytes = host.segment();
        for (long i = 0; i < bytes.byteSize(); i++) bytes.set(JAVA_BYTE, i, (byte) random.nextInt());
    }

    private static Buffer host(long bytes) {
        return Device.jvm().allocate(bytes, MemoryKind.HOST);
    }

    /** Launches a kernel that writes some buffers and reads others. */
    private static Ticket launch(Queue queue, DeviceLaunch launch, List<Buffer> writes, List<Buffer> reads) {
        List<Access> accesses = new ArrayList<>();
        for (Buffer buffer : writes) accesses.add(Access.write(buffer));
        for (Buffer buffer : reads) accesses.add(Access.read(buffer));
        return queue.submit(accesses, () -> launch.issue(queue));
    }

    @Test
    void kernelsOfTwoQueuesAreOrderedByWhatTheyTouch() {
        TestKernels kernels = kernels(device());
        CudaQueue one = device().newQueue();
        CudaQueue two = device().newQueue();
        int n = 1000;
        try (Buffer a = device().allocate(4L * n, MemoryKind.DEVICE);
                Buffer b = device().allocate(4L * n, MemoryKind.DEVICE);
                Buffer back = device().allocate(4L * n, MemoryKind.PINNED)) {
            for (int round = 0; round < 50; round++) {
                launch(one, kernels.bind("spin", longTime() / 100), List.of(a), List.of());
                launch(one, kernels.bind("fill", a, n, round), List.of(a), List.of());
                launch(two, kernels.bind("fill", b, n, 7), List.of(b), List.of());
                launch(two, kernels.bind("step", b, a, n, 1), List.of(b), List.of(a));
                launch(one, kernels.bind("fill", a, n, -1), List.of(a), List.of());
                two.copy(b, back);
                assertThat(back.segment().get(JAVA_INT, 4L * (n - 1))).isEqualTo(7 * 31 + round + 1);
            }
        }
    }

    @Test
    void hostThreadsDoNotWaitForWhatDevicesOrder() {
        TestKernels kernels = kernels(device());
        CudaQueue one = device().newQueue();
        CudaQueue two = device().newQueue();
        try (Buffer a = device().allocate(64, MemoryKind.DEVICE);
                Buffer b = device().allocate(64, MemoryKind.DEVICE);
                Buffer back = device().allocate(64, MemoryKind.PINNED)) {
            DeviceLaunch there = kernels.bind("step", b, a, 16, 1);
            DeviceLaunch hither = kernels.bind("step", a, b, 16, 2);
            launch(one, kernels.bind("fill", a, 16, 1), List.of(a), List.of());
            launch(one, kernels.bind("fill", b, 16, 1), List.of(b), List.of());
            one.await();
            Ticket first = launch(one, kernels.bind("spin", longTime()), List.of(a, b), List.of());
            for (int i = 0; i < 200; i++) {
                launch(two, there, List.of(b), List.of(a));
                launch(one, hither, List.of(a), List.of(b));
            }
            assertThat(first.isDone()).isFalse();
            one.copy(a, back);
            int x = 1;
            int y = 1;
            for (int i = 0; i < 200; i++) {
                y = 31 * y + x + 1;
                x = 31 * x + y + 2;
            }
            assertThat(back.segment().get(JAVA_INT, 0)).isEqualTo(x);
        }
    }

    @Test
    void halvesOfAnArrayAreIndependent() {
        TestKernels kernels = kernels(device());
        CudaQueue one = device().newQueue();
        CudaQueue two = device().newQueue();
        try (Buffer whole = device().allocate(128, MemoryKind.UNIFIED)) {
            Buffer left = whole.slice(0, 64);
            Buffer right = whole.slice(64, 64);
            launch(one, kernels.bind("fill", whole, 32, 1), List.of(whole), List.of())
                    .await();
            Ticket slow = launch(one, kernels.bind("spin", longTime()), List.of(left), List.of());
            launch(two, kernels.bind("fill", right, 16, 2), List.of(right), List.of());
            // Reading the right half waits for its own writer, which did not wait for the left half's.
            right.await(Region.contiguous(64, 64), false);
            assertThat(slow.isDone()).isFalse();
            assertThat(whole.isHostAddressable()).isTrue();
            slow.await();
            assertThat(right.segment().get(JAVA_INT, 0)).isEqualTo(2);
            assertThat(left.segment().get(JAVA_INT, 0)).isEqualTo(1);
        }
    }

    @Test
    void copiesMoveBoxesBetweenAllKindsOfMemory() {
        List<Device> places = List.of(Device.jvm(), device(), devices().getLast());
        List<MemoryKind> kinds = List.of(MemoryKind.HOST, MemoryKind.PINNED, MemoryKind.DEVICE, MemoryKind.UNIFIED);
        Seeded.cases(150, random -> {
            Box source = box(random, random.nextInt(1, 5), random.nextInt(1, 5), random.nextInt(1, 40));
            Box target = box(random, source.planes(), source.rows(), source.rowBytes());
            MemoryKind from = kinds.get(random.nextInt(kinds.size()));
            MemoryKind to = kinds.get(random.nextInt(kinds.size()));
            Device fromDevice = from == MemoryKind.HOST ? Device.jvm() : places.get(random.nextInt(1, 3));
            Device toDevice = to == MemoryKind.HOST ? Device.jvm() : places.get(random.nextInt(1, 3));
            CudaDevice mover = devices().get(random.nextInt(2));
            try (Buffer given = host(end(source) + 5);
                    Buffer read = fromDevice.allocate(given.bytes(), from);
                    Buffer before = host(end(target) + 3);
                    Buffer written = toDevice.allocate(before.bytes(), to);
                    Buffer after = host(before.bytes())) {
                fill(given, random);
                fill(before, random);
                Queue queue = mover.newQueue();
                queue.copy(given, read);
                queue.copy(before, written);
                queue.copy(read, source, written, target);
                queue.copy(written, after);
                byte[] expected = before.segment().toArray(JAVA_BYTE);
                byte[] bytes = given.segment().toArray(JAVA_BYTE);
                for (int p = 0; p < source.planes(); p++)
                    for (int r = 0; r < source.rows(); r++)
                        System.arraycopy(bytes, at(source, p, r), expected, at(target, p, r), (int) source.rowBytes());
                assertThat(after.segment().toArray(JAVA_BYTE)).isEqualTo(expected);
            }
        });
    }

    private static int at(Box box, int plane, int row) {
        return Math.toIntExact(box.offset() + plane * box.planeStride() + row * box.rowStride());
    }

    private static long end(Box box) {
        return at(box, (int) box.planes() - 1, (int) box.rows() - 1) + box.rowBytes();
    }

    private static Box box(SplittableRandom random, long planes, long rows, long rowBytes) {
        long rowStride = rowBytes + (random.nextBoolean() ? 0 : random.nextInt(9));
        long planeStride = rows * rowStride + (random.nextBoolean() ? 0 : random.nextInt(30));
        return new Box(random.nextInt(16), rowBytes, rows, rowStride, planes, planeStride);
    }

    @Test
    void fillsRepeatValuesOfEveryWidth() {
        Seeded.cases(120, random -> {
            int width = 1 << random.nextInt(5);
            long rowBytes = (long) width * random.nextInt(1, 50);
            long rows = random.nextInt(1, 5);
            long rowStride = rowBytes + (long) width * random.nextInt(3);
            long planes = random.nextInt(1, 4);
            long planeStride = rows * rowStride + (long) width * random.nextInt(4);
            Box box = new Box(random.nextInt(40), rowBytes, rows, rowStride, planes, planeStride);
            long low = random.nextInt(4) == 0 ? 0x0102030401020304L : random.nextLong();
            long high = random.nextBoolean() ? low : random.nextLong();
            Queue queue = device().queue();
            try (Buffer target = device().allocate(
                                    end(box) + 16, random.nextBoolean() ? MemoryKind.DEVICE : MemoryKind.UNIFIED);
                    Buffer back = host(target.bytes())) {
                queue.fill(target, Box.contiguous(0, target.bytes()), 0x77, 0, 1);
                queue.fill(target, box, low, high, width);
                queue.copy(target, back);
                byte[] expected = new byte[(int) target.bytes()];
                java.util.Arrays.fill(expected, (byte) 0x77);
                for (int p = 0; p < planes; p++)
                    for (int r = 0; r < rows; r++)
                        for (int i = 0; i < rowBytes; i++) {
                            int k = i % width;
                            expected[at(box, p, r) + i] = (byte) ((k < 8 ? low : high) >>> (8 * (k % 8)));
                        }
                assertThat(back.segment().toArray(JAVA_BYTE)).isEqualTo(expected);
            }
        });
    }

    @Test
    void whatAKernelRecordsIsThrownToWhoeverWaitsForIt() {
        TestKernels kernels = kernels(device());
        CudaQueue queue = device().newQueue();
        DeviceLaunch failing = kernels.bind(
                record -> new ArithmeticException("detail " + record.get(JAVA_INT, 8)),
                "fail",
                new DeviceArgument.Failure(),
                new DeviceArgument.LaunchNumber(),
                42);
        try (Buffer a = device().allocate(64, MemoryKind.DEVICE)) {
            for (int round = 0; round < 3; round++) {
                launch(queue, kernels.bind("fill", a, 16, 1), List.of(a), List.of())
                        .await();
                Ticket ticket = launch(queue, failing, List.of(a), List.of());
                Ticket behind = launch(queue, kernels.bind("fill", a, 16, 1), List.of(a), List.of());
                assertThatThrownBy(behind::await)
                        .isInstanceOf(ArithmeticException.class)
                        .hasMessage("detail 42");
                ticket.await();
            }
            launch(queue, kernels.bind("fill", a, 16, 1), List.of(a), List.of()).await();
        }
    }

    @Test
    void memoryThatIsClosedIsNotReusedWhileItIsInUse() {
        TestKernels kernels = kernels(device());
        CudaQueue one = device().newQueue();
        CudaQueue two = device().newQueue();
        int n = 1 << 16;
        try (Buffer back = device().allocate(4L * n, MemoryKind.PINNED)) {
            for (int round = 0; round < 30; round++) {
                Buffer a = device().allocate(4L * n, MemoryKind.DEVICE);
                launch(one, kernels.bind("spin", longTime() / 50), List.of(a), List.of());
                launch(one, kernels.bind("fill", a, n, round), List.of(a), List.of());
                one.copy(a, back);
                a.close();
                Buffer b = device().allocate(4L * n, MemoryKind.DEVICE);
                launch(two, kernels.bind("fill", b, n, -1), List.of(b), List.of());
                b.close();
                assertThat(back.segment().get(JAVA_INT, 4L * (n - 1))).isEqualTo(round);
            }
        }
    }

    @Test
    void memoryOfThePoolIsForThisProcessAndThatOfWholeAllocationsForOthersToo() {
        ExportableMemory exportable = new ExportableMemory(device(), 4 << 20);
        try (Buffer pooled = device().allocate(1000, MemoryKind.DEVICE)) {
            assertThat(device().isExportable(pooled)).isFalse();
            for (long bytes : new long[] {1000, 100_000}) {
                long address = exportable.take(bytes);
                Buffer whole = Buffer.whole(new Allocation(device(), MemoryKind.DEVICE, address, bytes, exportable));
                assertThat(device().isExportable(whole)).isTrue();
                assertThat(device().isExportable(whole.slice(bytes / 2, bytes / 2)))
                        .isTrue();
                try (Buffer there = device().allocate(bytes, MemoryKind.PINNED);
                        Buffer back = device().allocate(bytes, MemoryKind.PINNED)) {
                    fill(there, new SplittableRandom(bytes));
                    CudaQueue queue = device().newQueue();
                    queue.copy(there, whole);
                    queue.copy(whole, back);
                    assertThat(back.segment().mismatch(there.segment())).isEqualTo(-1);
                }
                whole.close();
            }
        }
    }

    @Test
    void memoryRunsOutWithSizesAndIsReclaimedFromEveryThread() throws InterruptedException {
        long limit = device().memoryUse().limit();
        assertThatThrownBy(() -> device().allocate(limit + 1, MemoryKind.DEVICE))
                .isInstanceOf(DeviceMemoryException.class)
                .hasMessageContaining("asked for")
                .hasMessageContaining("pooled")
                .hasMessageContaining(device().name());
        assertThatThrownBy(() -> device().allocate(limit * 2, MemoryKind.UNIFIED))
                .isInstanceOf(DeviceMemoryException.class)
                .hasMessageContaining("allocateBeyondFree");
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread[] threads = new Thread[4];
        for (int t = 0; t < threads.length; t++)
            threads[t] = Thread.ofPlatform().start(() -> {
                try {
                    for (int i = 0; i < 40; i++) {
                        Buffer taken = device().allocate(limit / 5, MemoryKind.DEVICE);
                        if (i % 4 != 0) taken.close(); // else it is only unreachable
                    }
                } catch (Throwable e) {
                    failure.set(e);
                }
            });
        for (Thread thread : threads) thread.join();
        assertThat(failure.get()).isNull();
    }

    @Test
    void launchesOfATaskAllocateNothing() {
        TestKernels kernels = kernels(device());
        CudaQueue queue = device().newQueue();
        com.sun.management.ThreadMXBean threads =
                (com.sun.management.ThreadMXBean) java.lang.management.ManagementFactory.getThreadMXBean();
        try (Buffer a = device().allocate(64, MemoryKind.DEVICE);
                Buffer b = device().allocate(64, MemoryKind.DEVICE);
                Buffer c = device().allocate(64, MemoryKind.DEVICE)) {
            DeviceLaunch launch = kernels.bind("add", c, a, b, 16);
            Task task = new Task(List.of(Access.write(c), Access.read(a), Access.read(b)), () -> launch.issue(queue));
            for (int i = 0; i < 20_000; i++) queue.submit(task);
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 10_000; i++) queue.submit(task);
            assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(1 << 14);
            queue.await();
        }
    }

    @Test
    void virtualThreadsAreRefusedWithTheReason() throws InterruptedException {
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread.ofVirtual()
                .start(() -> {
                    try {
                        device().allocate(64, MemoryKind.DEVICE).close();
                    } catch (Throwable e) {
                        thrown.set(e);
                    }
                })
                .join();
        assertThat(thrown.get()).isInstanceOf(IllegalStateException.class).hasMessageContaining("platform thread");
    }

    @Test
    void sizesThatADeviceCannotHaveAreNamed() {
        TestKernels kernels = kernels(device());
        assertThatThrownBy(() -> kernels.program()
                        .function("nothing")
                        .bind(
                                new long[] {1, 70_000, 1},
                                new int[] {1, 1, 1},
                                0,
                                List.of(),
                                record -> new IllegalStateException("")))
                .hasMessageContaining("groups along y is 70000; expected 1 to 65535");
        assertThatThrownBy(() -> kernels.program()
                        .function("nothing")
                        .bind(
                                new long[] {1, 1, 1},
                                new int[] {64, 32, 1},
                                0,
                                List.of(),
                                record -> new IllegalStateException("")))
                .hasMessageContaining("2048 items");
        assertThatThrownBy(() -> kernels.program().function("missing")).hasMessageContaining("no entry missing");
    }

    @Test
    void graphsRunWhatWasNotedDownAsOnePieceOfWork() {
        TestKernels kernels = kernels(device());
        CudaQueue one = device().newQueue();
        CudaQueue two = device().newQueue();
        int n = 100;
        try (Buffer a = device().allocate(4L * n, MemoryKind.DEVICE);
                Buffer b = device().allocate(4L * n, MemoryKind.DEVICE);
                Buffer back = device().allocate(4L * n, MemoryKind.PINNED)) {
            one.fill(a, Box.contiguous(0, 4L * n), 1, 0, 4);
            one.fill(b, Box.contiguous(0, 4L * n), 1, 0, 4);
            try (CudaGraph graph = CudaGraph.of(device(), () -> noted(kernels, a, b, n, 1))) {
                int x = 1;
                int y = 1;
                for (int i = 0; i < 20; i++) {
                    graph.launch(i % 2 == 0 ? one : two);
                    y = 31 * y + x + 1;
                    x = 31 * x + 31 * y + x;
                }
                one.copy(a, back);
                assertThat(back.segment().get(JAVA_INT, 4L * (n - 1))).isEqualTo(x);
                graph.update(() -> noted(kernels, a, b, n, 5));
                graph.launch(two);
                y = 31 * y + x + 5;
                x = 31 * x + 31 * y + x;
                one.copy(a, back);
                assertThat(back.segment().get(JAVA_INT, 0)).isEqualTo(x);
                assertThatThrownBy(() -> graph.update(
                                () -> launch(device().queue(), kernels.bind("nothing"), List.of(a), List.of())))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("make another graph");
                graph.launch(one).await();
            }
        }
    }

    /** Steps b by a, and a by a temporary array that holds a + 31 b. */
    private void noted(TestKernels kernels, Buffer a, Buffer b, int n, int number) {
        Queue queue = device().queue();
        launch(queue, kernels.bind("step", b, a, n, number), List.of(b), List.of(a));
        try (Buffer temporary = device().allocate(4L * n, MemoryKind.DEVICE)) {
            queue.copy(b, temporary);
            launch(queue, kernels.bind("step", temporary, a, n, 0), List.of(temporary), List.of(a));
            launch(queue, kernels.bind("step", a, temporary, n, 0), List.of(a), List.of(temporary));
        }
    }

    @Test
    void failuresInGraphsAreThrownByTheirRuns() {
        TestKernels kernels = kernels(device());
        CudaQueue queue = device().newQueue();
        try (Buffer a = device().allocate(64, MemoryKind.DEVICE);
                CudaGraph graph = CudaGraph.of(device(), () -> {
                    Queue noting = device().queue();
                    launch(noting, kernels.bind("fill", a, 16, 1), List.of(a), List.of());
                    DeviceLaunch failing = kernels.bind(
                            record -> new ArithmeticException("detail " + record.get(JAVA_INT, 8)),
                            "fail",
                            new DeviceArgument.Failure(),
                            new DeviceArgument.LaunchNumber(),
                            17);
                    launch(noting, failing, List.of(a), List.of());
                })) {
            for (int round = 0; round < 3; round++) {
                Ticket ticket = graph.launch(queue);
                assertThatThrownBy(ticket::await)
                        .isInstanceOf(ArithmeticException.class)
                        .hasMessage("detail 17");
            }
        }
    }

    @Test
    void aProgramThatFailsIsNotNotedDownAndItsDeviceWorksOn() {
        TestKernels kernels = kernels(device());
        try (Buffer a = device().allocate(64, MemoryKind.DEVICE)) {
            assertThatThrownBy(() -> CudaGraph.of(device(), () -> {
                        launch(device().queue(), kernels.bind("fill", a, 16, 1), List.of(a), List.of());
                        throw new UnsupportedOperationException("enough");
                    }))
                    .hasMessage("enough");
            launch(device().queue(), kernels.bind("fill", a, 16, 1), List.of(a), List.of())
                    .await();
        }
    }

    @Test
    void unifiedMemoryMovesWhenAskedTo() {
        TestKernels kernels = kernels(device());
        CudaQueue queue = device().newQueue();
        try (Buffer a = device().allocate(1 << 20, MemoryKind.UNIFIED);
                Buffer other = device().allocate(64, MemoryKind.DEVICE)) {
            device().advise(a, Advice.PREFERRED_HERE);
            queue.prefetch(a);
            launch(queue, kernels.bind("fill", a, 1 << 18, 3), List.of(a), List.of());
            queue.prefetchToHost(a);
            assertThat(a.segment().get(JAVA_INT, (1 << 20) - 4)).isEqualTo(3);
            device().advise(a, Advice.PREFERRED_NOWHERE);
            assertThatThrownBy(() -> queue.prefetch(other)).hasMessageContaining("expected UNIFIED");
        }
    }

    @Test
    void memoryHasOneRecordHoweverItIsReached() {
        try (Buffer own = device().allocate(1024, MemoryKind.DEVICE);
                Buffer pinned = device().allocate(1024, MemoryKind.PINNED)) {
            long foreign = own.address();
            assertThatThrownBy(() -> device().wrap(foreign, 64)).hasMessageContaining("memory of a buffer");
            assertThatThrownBy(() -> device().wrap(pinned.address() + 512, 64)).hasMessageContaining("already");
        }
        CudaContext context = device().context();
        CallingThread thread = context.enter();
        assertThat(context.calls().memAlloc(thread.answer(), 1 << 16)).isZero();
        long foreign = thread.answered(0);
        try (Buffer wrapped = device().wrap(foreign, 1 << 15);
                Buffer back = host(1 << 15)) {
            assertThatThrownBy(() -> device().wrap(foreign + 100, 64)).hasMessageContaining("already");
            Queue queue = device().queue();
            queue.fill(wrapped, Box.contiguous(0, 1 << 15), 9, 0, 1);
            queue.copy(wrapped, back);
            assertThat(back.segment().get(JAVA_BYTE, (1 << 15) - 1)).isEqualTo((byte) 9);
        }
        device().wrap(foreign, 64).close();
        context.enter();
        assertThat(context.calls().memFree(foreign)).isZero();
    }
}

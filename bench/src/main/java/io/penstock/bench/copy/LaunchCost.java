package io.penstock.bench.copy;

import com.sun.management.ThreadMXBean;
import io.penstock.runtime.Access;
import io.penstock.runtime.Buffer;
import io.penstock.runtime.CompilingDevice;
import io.penstock.runtime.Device;
import io.penstock.runtime.DeviceArgument;
import io.penstock.runtime.DeviceLaunch;
import io.penstock.runtime.MemoryKind;
import io.penstock.runtime.Queue;
import io.penstock.runtime.Task;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;

/** What a launch costs the host: the smallest kernel on three arrays, prepared once. */
final class LaunchCost implements AutoCloseable {
    private static final int BURST = 256;
    private static final int BURSTS = 200;
    private static final int WARM_UPS = 200;
    private static final int EXCHANGES = 10_000;

    private final Device device;
    private final Table table;
    private final CudaPeer peer;
    private final Buffer x;
    private final Buffer y;
    private final Buffer z;
    private final Queue first;
    private final Queue second;

    LaunchCost(Device device, Table table, CudaPeer peer) {
        this.device = device;
        this.table = table;
        this.peer = peer;
        MemoryKind kind = device.equals(Device.jvm()) ? MemoryKind.HOST : MemoryKind.DEVICE;
        this.x = device.allocate(1 << 12, kind);
        this.y = device.allocate(1 << 12, kind);
        this.z = device.allocate(1 << 12, kind);
        this.first = device.newQueue();
        this.second = device.newQueue();
    }

    void measure() {
        Spread tracked = burst(task(first, z, x, y), task(first, z, x, y));
        row("enqueue a tracked launch with 3 arrays", tracked, "launch");
        table.line(
                "%-62s %10.1f bytes", "  allocated on Java's heap", allocated(task(first, z, x, y)) / (double) BURST);
        if (device instanceof CompilingDevice)
            row("the same launch without the ledger, many in one piece of work", bare(), "launch");
        Spread crossing = burst(task(first, z, x, y), task(second, z, x, y));
        row("enqueue where each launch follows one of another queue", crossing, "crossing");
        if (device instanceof CompilingDevice)
            table.line(
                    "%-62s %10.0f ns",
                    "  so an edge between queues costs", (crossing.median() - tracked.median()) * 1e9);
        exchange();
    }

    private void row(String name, Spread spread, String peerCase) {
        OptionalDouble theirs = peer.median(peerCase);
        String ratio =
                theirs.isPresent() ? " %8.3f of the peer's".formatted(spread.median() / theirs.getAsDouble()) : "";
        table.line(
                "%-62s %10.0f ns  p95/med %.2f  least %.0f  most %.0f%s",
                name, spread.median() * 1e9, spread.width(), spread.least() * 1e9, spread.most() * 1e9, ratio);
    }

    /** A launch that writes one array and reads two. */
    private Runnable task(Queue queue, Buffer written, Buffer a, Buffer b) {
        Runnable body = () -> {};
        if (device instanceof CompilingDevice compiling) {
            DeviceLaunch launch = launch(compiling, written, a, b);
            body = () -> launch.issue(queue);
        }
        Task task = new Task("addOne", List.of(Access.write(written), Access.read(a), Access.read(b)), body);
        return () -> queue.submit(task);
    }

    private static DeviceLaunch launch(CompilingDevice compiling, Buffer written, Buffer a, Buffer b) {
        return BuiltIn.bind(
                new BuiltIn(compiling).function(compiling, "addOne"),
                1,
                List.of(
                        new DeviceArgument.Memory(written),
                        new DeviceArgument.Memory(a),
                        new DeviceArgument.Memory(b)));
    }

    /** Seconds a launch, of two kinds of launches in turn. */
    private Spread burst(Runnable one, Runnable other) {
        double[] seconds = new double[BURSTS];
        for (int i = -WARM_UPS; i < BURSTS; i++) {
            long start = System.nanoTime();
            for (int k = 0; k < BURST; k += 2) {
                one.run();
                other.run();
            }
            if (i >= 0) seconds[i] = (System.nanoTime() - start) * 1e-9 / BURST;
            first.await();
            second.await();
        }
        return Spread.of(seconds);
    }

    /** Bytes that a burst of launches allocates. */
    private long allocated(Runnable launch) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = 0;
        long after = 0;
        for (int i = 0; i < WARM_UPS; i++) {
            before = threads.getCurrentThreadAllocatedBytes();
            for (int k = 0; k < BURST; k++) launch.run();
            after = threads.getCurrentThreadAllocatedBytes();
            first.await();
        }
        return after - before;
    }

    private Spread bare() {
        double[] seconds = new double[BURSTS];
        DeviceLaunch launch = launch((CompilingDevice) device, z, x, y);
        List<Access> accesses = List.of(Access.write(z), Access.read(x), Access.read(y));
        for (int i = -WARM_UPS; i < BURSTS; i++) {
            int slot = i;
            first.submit(accesses, () -> {
                long start = System.nanoTime();
                for (int k = 0; k < BURST; k++) launch.issue(first);
                if (slot >= 0) seconds[slot] = (System.nanoTime() - start) * 1e-9 / BURST;
            });
            first.await();
        }
        return Spread.of(seconds);
    }

    /** Two queues that hand two arrays to and fro. */
    private void exchange() {
        Runnable there = task(first, x, y, z);
        Runnable back = task(second, y, x, z);
        List<double[]> all = new ArrayList<>();
        double seconds = 0;
        for (int pass = 0; pass < 2; pass++) {
            double[] host = new double[2 * EXCHANGES];
            long begin = System.nanoTime();
            for (int i = 0; i < EXCHANGES; i++) {
                long start = System.nanoTime();
                there.run();
                long middle = System.nanoTime();
                back.run();
                host[2 * i] = (middle - start) * 1e-9;
                host[2 * i + 1] = (System.nanoTime() - middle) * 1e-9;
            }
            first.await();
            second.await();
            seconds = (System.nanoTime() - begin) * 1e-9;
            all.add(host);
        }
        double[] host = all.getLast();
        Spread spread = Spread.of(host);
        double busy = Arrays.stream(host).sum();
        table.line(
                "%-62s %10.2f ms in all, %.2f us each; the host: median %.0f ns, p95 %.0f ns, most %.1f us, busy %.0f %%%s",
                EXCHANGES + " exchanges between two queues",
                seconds * 1e3,
                seconds * 1e6 / EXCHANGES,
                spread.median() * 1e9,
                spread.p95() * 1e9,
                spread.most() * 1e6,
                100 * busy / seconds,
                peer.median("exchange").isPresent()
                        ? ", %.3f of the peer's"
                                .formatted(seconds
                                        / EXCHANGES
                                        / peer.median("exchange").getAsDouble())
                        : "");
    }

    @Override
    public void close() {
        x.close();
        y.close();
        z.close();
    }
}

package io.penstock.bench;

import io.penstock.runtime.Access;
import io.penstock.runtime.Backend;
import io.penstock.runtime.Backends;
import io.penstock.runtime.Box;
import io.penstock.runtime.Buffer;
import io.penstock.runtime.Device;
import io.penstock.runtime.DeviceArgument;
import io.penstock.runtime.DeviceLaunch;
import io.penstock.runtime.MemoryKind;
import io.penstock.runtime.Task;
import io.penstock.runtime.cuda.CudaDevice;
import io.penstock.runtime.cuda.CudaQueue;
import java.io.PrintWriter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleSupplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What it costs the host to launch a kernel of three arrays on a CUDA device, tracked by the ledger, beside C that tracks nothing. */
@Command(
        name = "launch",
        description = "What a tracked launch on a CUDA device costs the host, beside bare calls of the driver in C.",
        mixinStandardHelpOptions = true)
final class LaunchBench implements Runnable {
    private static final String KERNEL = """
            extern "C" __global__ void add(int *z, const int *x, const int *y, unsigned long long n) {
              unsigned long long i = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
              if (i < n) z[i] = x[i] + y[i];
            }
            """;
    private static final int N = 128;
    /** Few enough that neither the driver nor a queue makes the submitter wait. */
    private static final int BATCH = 256;
    /** Enough batches for the last compiler to be done with all of it. */
    private static final int WARM_UP = 150;

    private static final long PAUSE_NANOS = 10_000;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Option(names = "--device", description = "Which device, such as cuda:0; the first when not given.")
    private String name = "cuda:0";

    @Option(
            names = "--batches",
            description = "How many batches of " + BATCH + " launches are timed (${DEFAULT-VALUE}).")
    private int batches = 200;

    /** Measures and prints. */
    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        for (Backend backend : Backends.all())
            if (backend.name().equals("cuda"))
                backend.absence().ifPresent(why -> {
                    throw new IllegalStateException("no CUDA device: " + why);
                });
        if (!(Device.named(name) instanceof CudaDevice device))
            throw new IllegalArgumentException("device is " + name + "; expected a CUDA device");
        out.println(device.name() + ": " + device.description());
        try (Buffer x = device.allocate(4 * N, MemoryKind.DEVICE);
                Buffer y = device.allocate(4 * N, MemoryKind.DEVICE);
                Buffer z = device.allocate(4 * N, MemoryKind.DEVICE)) {
            new Run(device, x, y, z, batches, out).all();
        }
    }

    private static final class Run {
        private final CudaQueue one;
        private final CudaQueue two;
        private final Buffer x;
        private final Buffer y;
        private final Buffer z;
        private final int batches;
        private final PrintWriter out;
        private final DeviceLaunch launch;
        private final LaunchPeer peer;

        Run(CudaDevice device, Buffer x, Buffer y, Buffer z, int batches, PrintWriter out) {
            this.one = device.newQueue();
            this.two = device.newQueue();
            this.x = x;
            this.y = y;
            this.z = z;
            this.batches = batches;
            this.out = out;
            byte[] binary = device.code().compile(KERNEL, List.of());
            this.launch = device.code()
                    .load(binary)
                    .function("add")
                    .bind(
                            new long[] {1, 1, 1},
                            new int[] {N, 1, 1},
                            0,
                            List.of(
                                    new DeviceArgument.Memory(z),
                                    new DeviceArgument.Memory(x),
                                    new DeviceArgument.Memory(y),
                                    number(N)),
                            record -> new IllegalStateException("this kernel cannot fail"));
            this.peer = LaunchPeer.of(device, binary, List.of(z.address(), x.address(), y.address(), (long) N));
        }

        private static DeviceArgument number(long value) {
            MemorySegment bytes = Arena.ofAuto().allocate(8, 8);
            bytes.set(ValueLayout.JAVA_LONG, 0, value);
            return new DeviceArgument.Bytes(bytes);
        }

        private List<Access> accesses(Buffer written, Buffer read, Buffer alsoRead) {
            return List.of(Access.write(written), Access.read(read), Access.read(alsoRead));
        }

        void all() {
            one.fill(x, Box.contiguous(0, x.bytes()), 0, 0, 4);
            one.fill(y, Box.contiguous(0, y.bytes()), 0, 0, 4);
            Task task = new Task(accesses(z, x, y), () -> launch.issue(one));
            Task there = new Task(accesses(z, x, y), () -> launch.issue(one));
            Task hither = new Task(accesses(x, z, y), () -> launch.issue(two));
            DoubleSupplier[] bodies = {
                () -> peer.launches(one.stream(), BATCH),
                () -> batch(() -> launch.issue(one)),
                () -> batch(() -> one.submit(task)),
                () -> batch(() -> one.submit(accesses(z, x, y), () -> launch.issue(one))),
                () -> peer.exchanges(one.stream(), two.stream(), BATCH),
                () -> pairs(there, hither)
            };
            double[][] times = new double[bodies.length][batches];
            for (int i = -WARM_UP; i < batches; i++)
                for (int k = 0; k < bodies.length; k++) {
                    double nanos = bodies[k].getAsDouble();
                    one.await();
                    two.await();
                    if (i >= 0) times[k][i] = nanos;
                }
            out.printf("%-58s %10s %10s %8s%n", "nanoseconds of host time for one", "median", "p95", "ratio");
            row("bare cuLaunchKernel in C", times[0], times[0]);
            row("the same from Java, tracked by nobody", times[1], times[0]);
            row("tracked launch of three arrays (goal: ratio 1.15)", times[2], times[0]);
            row("the same, with its accesses written down each time", times[3], times[0]);
            row("launch, record, wait between two streams in C", times[4], times[0]);
            row("tracked launch that follows another queue", times[5], times[4]);
            out.printf(
                    Locale.ROOT,
                    "%-58s %10.0f%n",
                    "of which the order between the queues (goal: 1000)",
                    Ratio.median(times[5]) - Ratio.median(times[2]));
            double first = allocated(task);
            out.printf(
                    Locale.ROOT, "%-58s %10.2f%n", "bytes allocated by a launch, first time with a full queue", first);
            out.printf(Locale.ROOT, "%-58s %10.2f%n", "the same, second time (goal: 0)", allocated(task));
            exchange(there, hither);
        }

        private static double batch(Runnable submission) {
            long begin = System.nanoTime();
            for (int i = 0; i < BATCH; i++) submission.run();
            return (System.nanoTime() - begin) / (double) BATCH;
        }

        private double pairs(Task there, Task hither) {
            long begin = System.nanoTime();
            for (int i = 0; i < BATCH; i += 2) {
                one.submit(there);
                two.submit(hither);
            }
            return (System.nanoTime() - begin) / (double) BATCH;
        }

        private double allocated(Task task) {
            var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 100_000; i++) one.submit(task);
            return (threads.getCurrentThreadAllocatedBytes() - before) / 100_000.0;
        }

        /**
         * Two queues hand a buffer to and fro 10,000 times; the host is to hand all of that over without a wait. Nobody can
         * hand over faster than the device works for ever, so the host leaves it some time.
         */
        private void exchange(Task there, Task hither) {
            int count = 10_000;
            double[] micros = new double[count];
            for (int i = 0; i < count; i++) {
                long begin = System.nanoTime();
                if (i % 2 == 0) one.submit(there);
                else two.submit(hither);
                long end = System.nanoTime();
                micros[i] = (end - begin) / 1e3;
                while (System.nanoTime() - end < PAUSE_NANOS) Thread.onSpinWait();
            }
            one.await();
            two.await();
            Arrays.sort(micros);
            out.printf(
                    Locale.ROOT,
                    "microseconds of host time for each of %d exchanges, %d us apart: median %.1f, p99 %.1f, longest %.1f%n",
                    count,
                    PAUSE_NANOS / 1000,
                    micros[count / 2],
                    micros[count * 99 / 100],
                    micros[count - 1]);
        }

        private void row(String label, double[] times, double[] peers) {
            double[] sorted = times.clone();
            Arrays.sort(sorted);
            double median = Ratio.median(times);
            out.printf(
                    Locale.ROOT,
                    "%-58s %10.0f %10.0f %8.2f%n",
                    label,
                    median,
                    sorted[sorted.length * 95 / 100],
                    median / Ratio.median(peers));
        }
    }
}

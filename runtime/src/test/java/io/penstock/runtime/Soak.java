package io.penstock.runtime;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Many pieces of work and many arrays, in a JVM of their own whose heap does not grow, so that what the process uses more at the
 * end than after the first tenth is a leak.
 */
final class Soak {
    private static final int LAUNCHES = 1_000_000;
    private static final int ARRAYS = 100_000;

    /** How far what is in use may drift, as between any two moments of a process. */
    private static final long DRIFT = 48L << 20;

    private Soak() {}

    /** Runs the part that is named. */
    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "jvm" -> launchesOnTheJvm();
            case "opencl" -> launchesOnOpenCl();
            default -> arrays();
        }
        System.out.println("nothing is left");
    }

    /**
     * What the process uses once all that can be reclaimed is: on the heap, and off it without what pools keep for the next
     * allocation. How much they keep depends on how far the program was ahead of the collector and of its devices.
     */
    private record Use(long heap, long resident) {
        static Use now() throws IOException {
            for (int k = 0; k < 3; k++) {
                System.gc();
                Reclaimer.drain();
            }
            long pooled = Device.all().stream()
                    .mapToLong(device -> device.memoryUse().pooled())
                    .sum();
            return new Use(
                    ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(), residentBytes() - pooled);
        }

        /** Zero where the system does not tell. */
        private static long residentBytes() throws IOException {
            Path status = Path.of("/proc/self/status");
            if (!Files.exists(status)) return 0;
            Matcher matcher = Pattern.compile("RssAnon:\\s+(\\d+) kB").matcher(Files.readString(status));
            return matcher.find() ? 1024 * Long.parseLong(matcher.group(1)) : 0;
        }
    }

    private static void leavesNothing(Part part) throws Exception {
        part.run(0.1);
        Use before = Use.now();
        part.run(1);
        Use after = Use.now();
        if (after.heap - before.heap > DRIFT / 4 || after.resident - before.resident > DRIFT)
            throw new IllegalStateException("something is left: first " + before + ", then " + after);
    }

    /** Something done in part or in full. */
    private interface Part {
        void run(double part) throws Exception;
    }

    private static void launchesOnTheJvm() throws Exception {
        Queue first = Device.jvm().newQueue();
        Queue second = Device.jvm().newQueue();
        try (Buffer a = Device.jvm().allocate(64, MemoryKind.HOST);
                Buffer b = Device.jvm().allocate(64, MemoryKind.HOST)) {
            leavesNothing(part -> {
                for (int k = 0; k < part * 0.8 * LAUNCHES; k++) {
                    Queue queue = k % 3 == 0 ? first : second;
                    queue.submit(List.of(Access.read(k % 7 == 0 ? a : b), Access.write(a.slice(k % 60, 4))), () -> {});
                }
                first.await();
                second.await();
            });
        }
    }

    private static void launchesOnOpenCl() throws Exception {
        List<CompilingDevice> devices = OpenClDevices.pair();
        Queue first = devices.get(0).newQueue();
        Queue second = devices.get(1).newQueue();
        try (Buffer a = devices.get(0).allocate(64, MemoryKind.DEVICE)) {
            first.fill(a, Box.contiguous(0, 64), 0, 0, 4);
            Task here = task(first, a.slice(0, 8));
            Task there = task(second, a.slice(8, 8));
            Task all = task(second, a);
            leavesNothing(part -> {
                for (int k = 0; k < part * 0.2 * LAUNCHES; k++) {
                    if (k % 50 == 0) second.submit(all);
                    else if (k % 2 == 0) first.submit(here);
                    else second.submit(there);
                }
                first.await();
                second.await();
            });
        }
    }

    private static Task task(Queue queue, Buffer buffer) {
        DeviceLaunch launch = DeviceKernels.of(queue.device()).add(buffer, buffer.bytes() / 4, 1);
        return new Task(List.of(Access.write(buffer)), () -> launch.issue(queue));
    }

    private static void arrays() throws Exception {
        List<Device> devices = new ArrayList<>(List.of(Device.jvm()));
        devices.addAll(OpenClDevices.pair());
        SplittableRandom random = new SplittableRandom(5);
        List<Queue> queues = devices.stream().map(Device::newQueue).toList();
        long[] live = new long[2];
        leavesNothing(part -> {
            List<Buffer> kept = new ArrayList<>();
            for (int k = 0; k < part * ARRAYS; k++) {
                int which = random.nextInt(devices.size());
                MemoryKind kind = which == 0 ? MemoryKind.HOST : MemoryKind.DEVICE;
                Buffer array = devices.get(which).allocate(random.nextLong(1, 100_000), kind);
                if (k % 10 == 0) queues.get(which).fill(array, Box.contiguous(0, array.bytes()), 1, 0, 1);
                if (k % 100 != 0) kept.add(array);
                if (kept.size() > 50) kept.remove(random.nextInt(50)).close();
            }
            kept.forEach(Buffer::close);
            for (int k = 0; k < 100 && live(devices) > live[0]; k++) {
                System.gc();
                Reclaimer.drain();
                Thread.sleep(10);
            }
            if (live[0] == 0) live[0] = live(devices);
            live[1] = live(devices);
        });
        if (live[1] > live[0])
            throw new IllegalStateException("first " + live[0] + " arrays are left, then " + live[1]);
    }

    private static long live(List<Device> devices) {
        return devices.stream()
                .mapToLong(device -> device.memoryUse().buffers())
                .sum();
    }
}

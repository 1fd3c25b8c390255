package io.penstock.runtime;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.penstock.runtime.jvm.JvmDevice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A random program over a few small arrays: steps that read some bytes and write others, each on some queue or the host itself,
 * some arrays freed on the way and others made. It can be run in sequence, on Java arrays, and on queues.
 *
 * <p>What a step writes depends on what it reads and on its number, so bytes tell who wrote them after whom.
 */
final class RandomProgram {
    private static final int ARRAYS = 3;
    private static final int BYTES = 48;

    private final List<Step> steps = new ArrayList<>();
    private final int queues;
    /** How many of the queues are drivers'. */
    private final int driven;

    private final int threads;
    private final long delaySeed;
    private final long mostDelay;

    /** How a step is done. */
    private enum Way {
        APART,
        DIRECT,
        HOST,
        COPY,
        FREE
    }

    /** Mixes {@code from} of one array into {@code to} of another; or replaces the array {@code target} by a new one. */
    private record Step(int number, Way way, int thread, int queue, int source, Region from, int target, Region to) {}

    RandomProgram(SplittableRandom random) {
        queues = random.nextInt(1, 4);
        driven = random.nextBoolean() ? 0 : random.nextInt(1, queues + 1);
        threads = random.nextInt(1, 3);
        delaySeed = random.nextLong();
        mostDelay = random.nextInt(8) == 0 ? random.nextLong(1, 100_000) : 1;
        int count = random.nextInt(2, 12);
        for (int i = 0; i < count; i++) steps.add(step(i + 1, random));
    }

    private Step step(int number, SplittableRandom random) {
        int kind = random.nextInt(20);
        Way way =
                kind < 13 ? Way.APART : kind < 15 ? Way.COPY : kind < 17 ? Way.DIRECT : kind < 19 ? Way.HOST : Way.FREE;
        int source = random.nextInt(ARRAYS);
        int target = random.nextInt(ARRAYS);
        Region from = region(random);
        Region to = region(random);
        if (way == Way.COPY) {
            if (source == target) target = (target + 1) % ARRAYS;
            to = Region.contiguous(random.nextInt(BYTES - length(from) + 1), length(from));
        }
        return new Step(number, way, random.nextInt(threads), random.nextInt(queues), source, from, target, to);
    }

    private static int length(Region region) {
        return Math.toIntExact(region.rows() * region.rowBytes());
    }

    private static Region region(SplittableRandom random) {
        if (random.nextInt(6) == 0) return Region.contiguous(0, BYTES);
        if (random.nextBoolean()) {
            int from = random.nextInt(BYTES);
            return Region.contiguous(from, random.nextInt(BYTES - from + 1));
        }
        int stride = random.nextBoolean() ? 4 : random.nextInt(2, 7);
        int run = random.nextInt(1, stride);
        int offset = random.nextInt(8);
        return new Region(offset, run, random.nextInt(1, (BYTES - offset) / stride), stride);
    }

    /** The bytes of all arrays at the end of the program run step by step. */
    byte[] inSequence() {
        byte[][] arrays = new byte[ARRAYS][BYTES];
        for (Step step : steps) {
            if (step.way == Way.FREE) {
                arrays[step.target] = new byte[BYTES];
                continue;
            }
            byte[] source = arrays[step.source];
            byte[] target = arrays[step.target];
            if (step.way == Way.COPY) {
                int[] from = indices(step.from);
                int[] to = indices(step.to);
                for (int i = 0; i < from.length; i++) target[to[i]] = source[from[i]];
                continue;
            }
            int seen = step.number;
            for (int at : indices(step.from)) seen = 31 * seen + source[at];
            for (int at : indices(step.to)) target[at] = (byte) (5 * target[at] + seen);
        }
        return join(arrays);
    }

    private static byte[] join(byte[][] arrays) {
        byte[] all = new byte[ARRAYS * BYTES];
        for (int k = 0; k < ARRAYS; k++) System.arraycopy(arrays[k], 0, all, k * BYTES, BYTES);
        return all;
    }

    private static int[] indices(Region region) {
        int[] indices = new int[Math.toIntExact(region.rows() * region.rowBytes())];
        int count = 0;
        for (long row = 0; row < region.rows(); row++)
            for (long i = 0; i < region.rowBytes(); i++)
                indices[count++] = Math.toIntExact(region.offset() + row * region.stride() + i);
        return Arrays.copyOf(indices, count);
    }

    /** The bytes of all arrays at the end of the program run on queues, submitted by its threads in the order of the steps. */
    byte[] onQueues() throws InterruptedException {
        Run run = new Run();
        Thread[] others = new Thread[threads - 1];
        for (int t = 1; t < threads; t++) {
            int self = t;
            others[t - 1] = Thread.ofVirtual().start(() -> run.submitAs(self));
        }
        run.submitAs(0);
        for (Thread other : others) other.join();
        return run.result();
    }

    /** One run on queues. */
    private final class Run {
        private final Queue[] lines = new Queue[queues];
        private final Buffer[] arrays = new Buffer[ARRAYS];
        private int next;

        Run() {
            for (int q = 0; q < queues; q++)
                if (q < driven) lines[q] = new SimulatedDevice("simulated:" + q).newQueue(delaySeed + q, mostDelay);
                else
                    lines[q] = mostDelay > 1
                            ? JvmDevice.instance().newDelayedQueue(delaySeed + q, mostDelay)
                            : Device.jvm().newQueue();
            for (int k = 0; k < ARRAYS; k++) arrays[k] = zeros();
        }

        private static Buffer zeros() {
            Buffer buffer = Device.jvm().allocate(BYTES, MemoryKind.HOST);
            buffer.segment().fill((byte) 0);
            return buffer;
        }

        /** Submits the steps of one thread, each when its turn has come. */
        void submitAs(int thread) {
            for (Step step : steps) {
                if (step.thread != thread) continue;
                synchronized (this) {
                    while (next != step.number - 1) {
                        try {
                            wait();
                        } catch (InterruptedException e) {
                            throw new IllegalStateException(e);
                        }
                    }
                }
                submit(step);
                synchronized (this) {
                    next++;
                    notifyAll();
                }
            }
        }

        private void submit(Step step) {
            Buffer source = arrays[step.source];
            Buffer target = arrays[step.target];
            List<Access> accesses = List.of(Access.read(source, step.from), Access.write(target, step.to));
            Runnable body = () -> mix(step, source, target);
            switch (step.way) {
                case APART -> {
                    if (lines[step.queue] instanceof SimulatedDevice.SimulatedQueue driver)
                        driver.submit(accesses, () -> mixOn(driver, step, source, target));
                    else lines[step.queue].submit(accesses, body);
                }
                case COPY -> lines[step.queue].copy(source, box(step.from), target, boxLike(step.from, step.to));
                case DIRECT -> Device.jvm().queue().submit(accesses, body);
                case HOST -> {
                    source.await(step.from, false);
                    target.await(step.to, true);
                    body.run();
                }
                case FREE -> {
                    target.close();
                    arrays[step.target] = zeros();
                }
            }
        }

        private static void mixOn(SimulatedDevice.SimulatedQueue driver, Step step, Buffer source, Buffer target) {
            long from = source.address();
            long to = target.address();
            driver.command(() -> mix(step, from, to));
        }

        private static Box box(Region region) {
            return Box.rows(region.offset(), region.rowBytes(), region.rows(), region.stride());
        }

        /** The contiguous region {@code to} in rows as {@code from} has them. */
        private static Box boxLike(Region from, Region to) {
            return Box.rows(to.offset(), from.rowBytes(), from.rows(), from.rowBytes());
        }

        private void mix(Step step, Buffer source, Buffer target) {
            mix(step, source.address(), target.address());
        }

        private static void mix(Step step, long from, long to) {
            int seen = step.number;
            for (int at : indices(step.from)) seen = 31 * seen + HostMemory.ALL.get(JAVA_BYTE, from + at);
            for (int at : indices(step.to)) {
                byte old = HostMemory.ALL.get(JAVA_BYTE, to + at);
                HostMemory.ALL.set(JAVA_BYTE, to + at, (byte) (5 * old + seen));
            }
        }

        byte[] result() {
            byte[][] bytes = new byte[ARRAYS][];
            for (int k = 0; k < ARRAYS; k++) {
                bytes[k] = arrays[k].segment().toArray(JAVA_BYTE);
                arrays[k].close();
            }
            for (Queue line : lines) line.await();
            return join(bytes);
        }
    }
}

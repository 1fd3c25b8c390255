package io.penstock.runtime;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.penstock.runtime.jvm.JvmDevice;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A random program over a few small arrays on several devices and the host: kernels that read some bytes and write others, copies
 * between any two arrays, fills, uses by the host, arrays freed on the way and others made elsewhere. It can be run in sequence,
 * on Java arrays, and on devices.
 *
 * <p>What a step writes depends on what it reads and on its number, so bytes tell who wrote them after whom.
 */
final class RandomDeviceProgram {
    private static final int ARRAYS = 4;
    private static final int BYTES = 48;

    /** How a step is done. Where its queue cannot reach both arrays, or its ranges do not fit, a mix becomes a copy. */
    private enum Way {
        MIX,
        COPY,
        FILL,
        HOST,
        FREE
    }

    /** Something done to {@code to} of one array with {@code from} of another; or the array {@code target} is made anew in a place. */
    private record Step(
            int number,
            Way way,
            int thread,
            int queue,
            int source,
            Box from,
            int target,
            Box to,
            int place,
            long spins) {}

    /** Where arrays may lie. */
    record Place(Device device, MemoryKind kind) {}

    /** Devices, with the queues and places that programs use; programs are cheap, these are not. */
    static final class Machine {
        private final List<Place> places = new ArrayList<>();
        private final List<Queue> queues = new ArrayList<>();
        private final boolean sharesMemory;
        /** Whether a queue can copy and fill in a place by itself. */
        private final boolean[][] touches;

        /**
         * The JVM and some devices.
         *
         * @param sharesMemory whether kernels of each device may use the memory of the others
         */
        Machine(List<? extends CompilingDevice> devices, boolean sharesMemory) {
            this.sharesMemory = sharesMemory;
            places.add(new Place(Device.jvm(), MemoryKind.HOST));
            for (CompilingDevice device : devices) {
                DeviceKernels.of(device);
                places.add(new Place(device, MemoryKind.DEVICE));
                for (int k = 0; k < 2; k++) queues.add(device.newQueue());
            }
            for (MemoryKind kind : List.of(MemoryKind.UNIFIED, MemoryKind.PINNED)) {
                try {
                    devices.getFirst().allocate(BYTES, kind).close();
                    places.add(new Place(devices.getFirst(), kind));
                } catch (UnsupportedOperationException e) {
                    // This device has none.
                }
            }
            queues.add(Device.jvm().newQueue());
            queues.add(JvmDevice.instance().newDelayedQueue(7, 50_000));
            queues.add(Device.jvm().queue());
            touches = new boolean[queues.size()][places.size()];
            for (int place = 0; place < places.size(); place++)
                try (Buffer sample = places.get(place).device.allocate(BYTES, places.get(place).kind)) {
                    for (int queue = 0; queue < queues.size(); queue++)
                        touches[queue][place] = queues.get(queue).reaches(sample);
                }
        }
    }

    private final List<Step> steps = new ArrayList<>();
    private final int threads;
    private final int[] firstPlaces = new int[ARRAYS];
    private final Machine machine;

    /**
     * A program.
     *
     * @param mostSpins how long kernels may dawdle at most, in rounds of a loop
     */
    RandomDeviceProgram(SplittableRandom random, Machine machine, long mostSpins) {
        this.machine = machine;
        threads = random.nextInt(4) == 0 ? 2 : 1;
        for (int k = 0; k < ARRAYS; k++) firstPlaces[k] = random.nextInt(machine.places.size());
        int count = random.nextInt(2, 16);
        for (int i = 0; i < count; i++) steps.add(step(i + 1, random, mostSpins));
    }

    private Step step(int number, SplittableRandom random, long mostSpins) {
        int kind = random.nextInt(20);
        Way way = kind < 10 ? Way.MIX : kind < 14 ? Way.COPY : kind < 16 ? Way.FILL : kind < 18 ? Way.HOST : Way.FREE;
        int source = random.nextInt(ARRAYS);
        int target = random.nextInt(ARRAYS);
        Box from = box(random);
        Box to = like(from, random);
        // Copies within an array are for other tests: what may overlap is refused.
        if (way == Way.COPY && source == target) target = (target + 1) % ARRAYS;
        return new Step(
                number,
                way,
                random.nextInt(threads),
                random.nextInt(machine.queues.size()),
                source,
                from,
                target,
                to,
                random.nextInt(machine.places.size()),
                mostSpins == 0 ? 0 : random.nextLong(mostSpins));
    }

    private static Box box(SplittableRandom random) {
        if (random.nextInt(6) == 0) return Box.contiguous(0, BYTES);
        if (random.nextBoolean()) {
            int from = random.nextInt(BYTES);
            return Box.contiguous(from, random.nextInt(BYTES - from + 1));
        }
        int stride = random.nextInt(2, 9);
        int run = random.nextInt(1, stride + 1);
        int offset = random.nextInt(8);
        int most = (BYTES - offset) / stride;
        int rows = random.nextInt(1, most + 1);
        return rows >= 4 && random.nextBoolean()
                ? new Box(offset, run, 2, stride, rows / 2, 2L * stride)
                : Box.rows(offset, run, rows, stride);
    }

    /** A box of the same extents elsewhere. */
    private static Box like(Box box, SplittableRandom random) {
        if (box.isEmpty()) return box;
        long rowStride = box.rowBytes() + random.nextInt(3);
        long planeStride = box.rows() * rowStride + random.nextInt(3);
        long extent = (box.planes() - 1) * planeStride + (box.rows() - 1) * rowStride + box.rowBytes();
        if (extent > BYTES) {
            rowStride = box.rowBytes();
            planeStride = box.rows() * rowStride;
            extent = box.bytes();
        }
        return new Box(
                random.nextLong(BYTES - extent + 1), box.rowBytes(), box.rows(), rowStride, box.planes(), planeStride);
    }

    private static int[] indices(Box box) {
        int[] indices = new int[Math.toIntExact(box.bytes())];
        int count = 0;
        for (long plane = 0; plane < box.planes(); plane++)
            for (long row = 0; row < box.rows(); row++)
                for (long i = 0; i < box.rowBytes(); i++)
                    indices[count++] =
                            Math.toIntExact(box.offset() + plane * box.planeStride() + row * box.rowStride() + i);
        return indices;
    }

    /** The region of a mix: of a box in several planes, the first. */
    private static Region region(Box box) {
        return Box.rows(box.offset(), box.rowBytes(), box.rows(), box.rowStride())
                .region();
    }

    private static int[] indices(Region region) {
        return indices(Box.rows(region.offset(), region.rowBytes(), region.rows(), region.stride()));
    }

    /** Which arrays lie where at a step; the same in both runs, so that both do the same. */
    private boolean mixes(Step step, int[] places) {
        Place source = machine.places.get(places[step.source]);
        Place target = machine.places.get(places[step.target]);
        if (step.way == Way.HOST) return isHost(source) && isHost(target);
        return step.way == Way.MIX && reaches(step, source) && reaches(step, target);
    }

    private static boolean isHost(Place place) {
        return place.kind != MemoryKind.DEVICE;
    }

    private boolean reaches(Step step, Place place) {
        Queue queue = machine.queues.get(step.queue);
        if (!(queue instanceof DriverQueue)) return isHost(place);
        return switch (place.kind) {
            case DEVICE -> machine.sharesMemory || place.device.equals(queue.device());
            case UNIFIED -> true;
            case HOST, PINNED -> false;
        };
    }

    private boolean fills(Step step, int[] places) {
        Place target = machine.places.get(places[step.target]);
        Queue queue = machine.queues.get(step.queue);
        return queue instanceof DriverQueue ? machine.touches[step.queue][places[step.target]] : isHost(target);
    }

    /** The bytes of all arrays at the end of the program run step by step. */
    byte[] inSequence() {
        byte[][] arrays = new byte[ARRAYS][BYTES];
        int[] places = firstPlaces.clone();
        for (Step step : steps) {
            byte[] source = arrays[step.source];
            byte[] target = arrays[step.target];
            if (step.way == Way.FREE) {
                arrays[step.target] = new byte[BYTES];
                places[step.target] = step.place;
            } else if (mixes(step, places)) {
                int seen = step.number;
                for (int at : indices(region(step.from))) seen = 31 * seen + source[at];
                for (int at : indices(region(step.to))) target[at] = (byte) (5 * target[at] + seen);
            } else if (step.way == Way.FILL) {
                if (fills(step, places)) for (int at : indices(step.to)) target[at] = (byte) step.number;
            } else if (step.source != step.target) {
                int[] from = indices(step.from);
                int[] to = indices(step.to);
                for (int i = 0; i < from.length; i++) target[to[i]] = source[from[i]];
            }
        }
        return join(arrays);
    }

    private static byte[] join(byte[][] arrays) {
        byte[] all = new byte[ARRAYS * BYTES];
        for (int k = 0; k < ARRAYS; k++) System.arraycopy(arrays[k], 0, all, k * BYTES, BYTES);
        return all;
    }

    /** The bytes of all arrays at the end of the program run on devices, submitted by its threads in the order of the steps. */
    byte[] onDevices() throws InterruptedException {
        Run run = new Run();
        Thread[] others = new Thread[threads - 1];
        for (int t = 1; t < threads; t++) {
            int self = t;
            others[t - 1] = Thread.ofPlatform().start(() -> run.submitAs(self));
        }
        run.submitAs(0);
        for (Thread other : others) other.join();
        return run.result();
    }

    /** One run on devices. */
    private final class Run {
        private final Buffer[] arrays = new Buffer[ARRAYS];
        private final int[] places = firstPlaces.clone();
        private int next;
        private @Nullable RuntimeException failure;

        Run() {
            for (int k = 0; k < ARRAYS; k++) arrays[k] = zeros(places[k]);
        }

        private Buffer zeros(int place) {
            Place where = machine.places.get(place);
            Buffer buffer = where.device.allocate(BYTES, where.kind);
            if (buffer.isHostAddressable()) buffer.segment().fill((byte) 0);
            else where.device.queue().fill(buffer, Box.contiguous(0, BYTES), 0, 0, 1);
            return buffer;
        }

        /** Submits the steps of one thread, each when its turn has come. */
        void submitAs(int thread) {
            for (Step step : steps) {
                if (step.thread != thread) continue;
                if (threads > 1) awaitTurn(step);
                try {
                    submit(step);
                } catch (RuntimeException e) {
                    fail(e);
                }
                if (threads > 1) endTurn();
            }
        }

        /** Of several failures the first one tells most. */
        private synchronized void fail(RuntimeException e) {
            if (failure == null) failure = e;
        }

        private synchronized void awaitTurn(Step step) {
            while (next != step.number - 1) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        }

        private synchronized void endTurn() {
            next++;
            notifyAll();
        }

        private void submit(Step step) {
            Buffer source = arrays[step.source];
            Buffer target = arrays[step.target];
            Queue queue = machine.queues.get(step.queue);
            if (step.way == Way.FREE) {
                target.close();
                places[step.target] = step.place;
                arrays[step.target] = zeros(step.place);
            } else if (mixes(step, places)) {
                if (step.way == Way.HOST) mixHere(step, source, target);
                else mix(step, queue, source, target);
            } else if (step.way == Way.FILL) {
                if (fills(step, places)) queue.fill(target, step.to, step.number, 0, 1);
            } else if (step.source != step.target) {
                queue.copy(source, step.from, target, step.to);
            }
        }

        private void mix(Step step, Queue queue, Buffer source, Buffer target) {
            Region from = region(step.from);
            Region to = region(step.to);
            List<Access> accesses = List.of(Access.read(source, from), Access.write(target, to));
            if (queue instanceof DriverQueue) {
                DeviceLaunch launch =
                        DeviceKernels.of(queue.device()).mix(source, from, target, to, step.number, step.spins);
                queue.submit(accesses, () -> launch.issue(queue));
            } else {
                queue.submit(accesses, () -> mixBytes(step, source, target));
            }
        }

        private void mixHere(Step step, Buffer source, Buffer target) {
            source.await(region(step.from), false);
            target.await(region(step.to), true);
            mixBytes(step, source, target);
        }

        private static void mixBytes(Step step, Buffer source, Buffer target) {
            long from = source.hostAddress();
            long to = target.hostAddress();
            int seen = step.number;
            for (int at : indices(region(step.from))) seen = 31 * seen + HostMemory.ALL.get(JAVA_BYTE, from + at);
            for (int at : indices(region(step.to))) {
                byte old = HostMemory.ALL.get(JAVA_BYTE, to + at);
                HostMemory.ALL.set(JAVA_BYTE, to + at, (byte) (5 * old + seen));
            }
        }

        byte[] result() {
            if (failure != null) throw failure;
            byte[][] bytes = new byte[ARRAYS][];
            for (int k = 0; k < ARRAYS; k++) {
                try (Buffer array = arrays[k];
                        Buffer copy = Device.jvm().allocate(BYTES, MemoryKind.HOST)) {
                    if (!array.isHostAddressable()) array.device().queue().copy(array, copy);
                    bytes[k] =
                            (array.isHostAddressable() ? array : copy).segment().toArray(JAVA_BYTE);
                }
            }
            return join(bytes);
        }
    }
}

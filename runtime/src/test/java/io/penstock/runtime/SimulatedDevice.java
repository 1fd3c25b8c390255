package io.penstock.runtime;

import java.util.ArrayDeque;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A device as its driver shows it, simulated: queues take commands and run them in order, each on a thread of its own, after
 * random delays; events tell how far they have come. It orders nothing that it was not told to.
 */
final class SimulatedDevice implements Device {
    private static final ExecutorService THREADS = Executors.newCachedThreadPool(
            task -> Thread.ofPlatform().daemon().name("simulated-device").unstarted(task));

    private final String name;

    SimulatedDevice(String name) {
        this.name = name;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String description() {
        return "threads of the test";
    }

    @Override
    public Queue queue() {
        return newQueue();
    }

    @Override
    public SimulatedQueue newQueue() {
        return newQueue(0, 1);
    }

    SimulatedQueue newQueue(long seed, long mostDelay) {
        return new SimulatedQueue(this, new SplittableRandom(seed), mostDelay);
    }

    /** The memory is the JVM's; it belongs to this device in name. */
    @Override
    public Buffer allocate(long bytes, MemoryKind kind) {
        Buffer memory = Scope.outside(() -> Device.jvm().allocate(bytes, MemoryKind.HOST));
        long host = kind == MemoryKind.DEVICE ? Allocation.NO_ADDRESS : memory.address();
        return Buffer.whole(new Allocation(this, kind, memory.address(), host, bytes, (address, size) -> {
            // What still uses the memory must not find that it is another's: it would not be noticed if it kept its
            // bytes.
            HostMemory.ALL.asSlice(address, size).fill((byte) 0x5a);
            memory.close();
        }));
    }

    @Override
    public MemoryUse memoryUse() {
        return Device.jvm().memoryUse();
    }

    /** A queue of commands. */
    static final class SimulatedQueue extends DriverQueue {
        private final ArrayDeque<Runnable> commands = new ArrayDeque<>();
        private final SplittableRandom random;
        private final long mostDelay;
        private final AtomicInteger timedEvents = new AtomicInteger();
        private boolean running;
        private @Nullable Failed failed;
        private volatile @Nullable RuntimeException broken;

        private SimulatedQueue(SimulatedDevice device, SplittableRandom random, long mostDelay) {
            super(device);
            this.random = random;
            this.mostDelay = mostDelay;
        }

        /** Adds a command, as the body of work does. */
        synchronized void command(Runnable command) {
            commands.add(command);
            if (!running) THREADS.execute(this::work);
            running = true;
        }

        /** Adds a command that fails as a kernel does: it leaves a record. */
        void commandThatFails(RuntimeException cause) {
            long number = issuing();
            command(() -> {
                synchronized (this) {
                    failed = new Failed(number, cause);
                }
            });
        }

        /** From now on the driver answers every question about events with an error. */
        void breakDown(RuntimeException cause) {
            broken = cause;
        }

        /** How many events were made that take the time. */
        int timedEvents() {
            return timedEvents.get();
        }

        private void work() {
            while (true) {
                Runnable next;
                synchronized (this) {
                    next = commands.poll();
                    if (next == null) {
                        running = false;
                        return;
                    }
                }
                if (mostDelay > 1) LockSupport.parkNanos(random.nextLong(mostDelay));
                next.run();
            }
        }

        @Override
        protected Event newEvent(boolean timed) {
            if (timed) timedEvents.incrementAndGet();
            return new SimulatedEvent(this);
        }

        @Override
        protected boolean canFollow(DriverQueue producer) {
            return producer instanceof SimulatedQueue;
        }

        @Override
        protected void follow(Event event) {
            CountDownLatch point = ((SimulatedEvent) event).point;
            command(() -> QueueTest.reach(point));
        }

        @Override
        protected synchronized @Nullable Failed takeFailure(long upTo) {
            Failed taken = failed;
            failed = null;
            return taken;
        }

        @Override
        protected boolean reaches(Buffer buffer) {
            return buffer.device().equals(device()) || buffer.kind() == MemoryKind.PINNED;
        }

        @Override
        protected void copyNow(Buffer from, Box source, Buffer to, Box target) {
            long read = from.address();
            long written = to.address();
            command(() -> {
                for (long plane = 0; plane < source.planes(); plane++)
                    for (long row = 0; row < source.rows(); row++)
                        HostMemory.ALL
                                .asSlice(written + start(target, plane, row), source.rowBytes())
                                .copyFrom(HostMemory.ALL.asSlice(read + start(source, plane, row), source.rowBytes()));
            });
        }

        private static long start(Box box, long plane, long row) {
            return box.offset() + plane * box.planeStride() + row * box.rowStride();
        }

        @Override
        protected void fillNow(Buffer to, Box target, long low, long high, int width) {
            long written = to.address();
            if (width != 1) throw new UnsupportedOperationException("width " + width);
            command(() -> {
                for (long plane = 0; plane < target.planes(); plane++)
                    for (long row = 0; row < target.rows(); row++)
                        HostMemory.ALL
                                .asSlice(written + start(target, plane, row), target.rowBytes())
                                .fill((byte) low);
            });
        }
    }

    /** A point in a queue. */
    private static final class SimulatedEvent implements DriverQueue.Event {
        private final SimulatedQueue queue;
        private volatile CountDownLatch point = new CountDownLatch(0);
        private volatile long nanos;

        private SimulatedEvent(SimulatedQueue queue) {
            this.queue = queue;
        }

        @Override
        public void record() {
            CountDownLatch recorded = new CountDownLatch(1);
            point = recorded;
            queue.command(() -> {
                nanos = System.nanoTime();
                recorded.countDown();
            });
        }

        private void answer() {
            RuntimeException broken = queue.broken;
            if (broken != null) throw broken;
        }

        @Override
        public boolean isOver() {
            answer();
            return point.getCount() == 0;
        }

        @Override
        public void await() {
            QueueTest.reach(point);
            answer();
        }

        @Override
        public long nanos() {
            if (point.getCount() > 0) throw new IllegalStateException("the event is not over");
            return nanos;
        }
    }
}

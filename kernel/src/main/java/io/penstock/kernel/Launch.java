package io.penstock.kernel;

import io.penstock.runtime.Device;
import io.penstock.runtime.DeviceLaunch;
import io.penstock.runtime.DriverQueue;
import io.penstock.runtime.Queue;
import io.penstock.runtime.Task;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A kernel over a range with its arguments, to be launched again and again, as in an iteration. On a queue that a driver runs,
 * and on the JVM's direct one while there is no other, a repeated launch that is not cut into pieces allocates nothing.
 *
 * <p>It keeps its arguments. Threads may share it.
 */
public final class Launch {
    /** For how many queues a launch is kept ready; they would otherwise live as long as it. */
    private static final int MOST_QUEUES = 32;

    private final RangedKernel kernel;
    private final Device device;
    private final Object[] arguments;
    private final Object[] values;
    private final JvmLaunch onJvm;
    private final ConcurrentHashMap<Queue, Task> tasks = new ConcurrentHashMap<>();

    Launch(RangedKernel kernel, Device device, Object[] arguments) {
        this.kernel = kernel;
        this.device = device;
        this.arguments = arguments.clone();
        this.values = Arguments.bind(kernel.kernel(), arguments);
        this.onJvm = new JvmLaunch(kernel.kernel(), kernel.range(), values);
    }

    /** Launches on the calling thread's queue of the device. */
    public void launch() {
        launch(device.queue());
    }

    /**
     * Launches on a queue of the device, or of one that reaches its memory; see {@link RangedKernel#launch(Queue, Object...)}.
     *
     * @throws IllegalArgumentException naming an argument that the queue does not reach
     */
    public void launch(Queue queue) {
        Objects.requireNonNull(queue, "queue is null");
        if (kernel.range().items() == 0) return;
        if (!queue.tracks()) {
            Arguments.requireUsable(kernel.kernel(), queue, values);
            Arguments.requireOpen(values);
            onJvm.run(queue, arguments);
            return;
        }
        Task task = tasks.get(queue);
        if (task == null) {
            if (tasks.size() >= MOST_QUEUES) tasks.clear();
            task = tasks.computeIfAbsent(queue, this::task);
        }
        queue.submit(task);
    }

    private Task task(Queue queue) {
        Arguments.requireUsable(kernel.kernel(), queue, values);
        String name = kernel.kernel().name();
        if (!(queue instanceof DriverQueue))
            return new Task(name, kernel.accesses(values, arguments), () -> onJvm.run(queue, arguments));
        DeviceLaunches.Bound bound = DeviceLaunches.bind(kernel.kernel(), queue.device(), kernel.range(), values);
        DeviceLaunch launch = bound.launch();
        return new Task(name, bound.accesses(), () -> launch.issue(queue));
    }

    @Override
    public String toString() {
        return kernel + " on " + device.name();
    }
}

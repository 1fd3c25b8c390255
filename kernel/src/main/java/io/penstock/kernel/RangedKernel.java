package io.penstock.kernel;

import io.penstock.runtime.Access;
import io.penstock.runtime.Device;
import io.penstock.runtime.DeviceLaunch;
import io.penstock.runtime.DriverQueue;
import io.penstock.runtime.Queue;
import java.util.List;
import java.util.Objects;

/** A kernel over a range, ready to be launched. Immutable; may be launched again and from any thread. */
public final class RangedKernel {
    private final Kernel kernel;
    private final Range range;

    RangedKernel(Kernel kernel, Range range) {
        this.kernel = kernel;
        this.range = range;
    }

    /**
     * The same with groups of {@code items} items each.
     *
     * @throws IllegalArgumentException unless the range has one dimension, and a group 1 to 1024 items
     */
    public RangedKernel groups(int items) {
        return grouped(1, 1, 1, items);
    }

    /**
     * The same with groups of {@code rows} times {@code columns} items each.
     *
     * @throws IllegalArgumentException unless the range has two dimensions, and a group 1 to 1024 items
     */
    public RangedKernel groups(int rows, int columns) {
        return grouped(2, 1, rows, columns);
    }

    /**
     * The same with groups of {@code planes} times {@code rows} times {@code columns} items each.
     *
     * @throws IllegalArgumentException unless the range has three dimensions, and a group 1 to 1024 items
     */
    public RangedKernel groups(int planes, int rows, int columns) {
        return grouped(3, planes, rows, columns);
    }

    private RangedKernel grouped(int dimensions, int z, int y, int x) {
        if (dimensions != range.dimensions())
            throw new IllegalArgumentException("groups of " + dimensions + " dimensions for a range of "
                    + range.dimensions() + "; expected as many sizes as the range has");
        return new RangedKernel(kernel, range.in(new GroupShape(true, z, y, x)));
    }

    /**
     * Runs the kernel on this thread's queue of the device where its arguments lie, which is its current one when there is no
     * view among them; see {@link #launch(Queue, Object...)}.
     *
     * @throws KernelException when an item fails
     */
    public void launch(Object... arguments) {
        launch(device(arguments).queue(), arguments);
    }

    /**
     * Runs the kernel on every item of the range, after all earlier work that touches elements which this launch touches, where
     * one of the two may write them. Nothing runs when the range has a dimension of size 0.
     *
     * <p>On a direct queue all items are done when this returns. A queue apart runs them later, in order; what fails is then
     * thrown to whoever waits for the launch or reads what it should have written.
     *
     * <p>Which elements it reads and which it writes is derived from the kernel's code, the sizes and the scalars. Of a kernel
     * that is not in the kernel language (docs/kernels.md), every element of every view counts as read and written, unless
     * {@link KernelArgument#readOnly} says that it is only read.
     *
     * @param queue of the device where the arguments lie, or of one that reaches their memory
     * @param arguments one for each of the kernel's parameters after the work-item: arrays or element views of the
     *     parameter's type, and numbers of the parameter's type or of one that widens to it without loss
     * @throws IllegalArgumentException naming the argument that does not fit its parameter, or that the queue does not reach
     * @throws IllegalStateException when the memory of an argument, or of a view that the kernel captures, was freed
     * @throws KernelException when an item fails; of several failed items, one is reported
     */
    public void launch(Queue queue, Object... arguments) {
        Objects.requireNonNull(queue, "queue is null");
        Object[] values = Arguments.bind(kernel, arguments);
        Arguments.requireUsable(kernel, queue, values);
        if (range.items() == 0) return;
        if (queue instanceof DriverQueue) {
            DeviceLaunches.Bound bound = DeviceLaunches.bind(kernel, queue.device(), range, values);
            DeviceLaunch launch = bound.launch();
            queue.submit(kernel.name(), bound.accesses(), () -> launch.issue(queue));
        } else if (queue.tracks())
            queue.submit(
                    kernel.name(),
                    accesses(values, arguments),
                    () -> new JvmLaunch(kernel, range, values).run(queue, arguments));
        else new JvmLaunch(kernel, range, values).run(queue, arguments);
    }

    /**
     * This with its arguments, to be launched again and again. The kernel is compiled when it is first launched.
     *
     * @param arguments as those of {@link #launch(Queue, Object...)}; their memory decides on the device, without any it is the
     *     calling thread's current one
     * @throws IllegalArgumentException naming the argument that does not fit its parameter
     */
    public Launch prepare(Object... arguments) {
        return new Launch(this, device(arguments), arguments);
    }

    private Device device(Object[] arguments) {
        Objects.requireNonNull(arguments, "arguments is null");
        for (Object argument : arguments)
            if (argument instanceof KernelArgument view)
                return view.elements().buffer().device();
        for (Object value : kernel.captured())
            if (value instanceof ElementView view) return view.buffer().device();
        return Device.current();
    }

    Kernel kernel() {
        return kernel;
    }

    Range range() {
        return range;
    }

    List<Access> accesses(Object[] values, Object[] arguments) {
        Implementation implementation = kernel.implementation();
        return implementation
                .reach()
                .of(values, range)
                .orElseGet(() -> Arguments.accesses(implementation, values, arguments));
    }

    @Override
    public String toString() {
        return kernel + " over " + range.describe();
    }
}

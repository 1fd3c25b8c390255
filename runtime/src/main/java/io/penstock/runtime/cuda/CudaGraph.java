package io.penstock.runtime.cuda;

import static io.penstock.foreign.CudaValues.CUDA_SUCCESS;

import io.penstock.runtime.Access;
import io.penstock.runtime.Allocation;
import io.penstock.runtime.Buffer;
import io.penstock.runtime.MemoryKind;
import io.penstock.runtime.Queue;
import io.penstock.runtime.Scope;
import io.penstock.runtime.Ticket;
import java.util.ArrayList;
import java.util.List;

/**
 * Work on a CUDA device, noted down once and run again and again by one call of the driver, at a fraction of what its launches
 * cost. To the ledger each run is one piece of work that touches all that the noted work touches.
 *
 * <pre>{@code
 * try (CudaGraph step = CudaGraph.of(device, () -> { multiply.launch(a, x, y); add.launch(y, x); })) {
 *     for (int i = 0; i < 1000; i++) step.launch(queue);
 * }
 * }</pre>
 *
 * <p>Arguments are those of the time when the work was noted down: the same memory, the same numbers. Memory that the program frees
 * is kept for the graph. Runs of one graph follow each other, on whichever queues.
 */
public final class CudaGraph implements AutoCloseable {
    private final CudaDevice device;
    private final long handle;

    /** Memory in name only, which each run writes: it is free, and the graph with it, once no run is under way. */
    private final Buffer token;

    private Version version;

    /** What was noted down last: what it touches, another such token, and where its kernels record failures. */
    private record Version(List<Access> accesses, Buffer token, CudaQueue queue) {}

    private CudaGraph(CudaDevice device, long handle, Version version) {
        this.device = device;
        this.handle = handle;
        this.version = version;
        this.token = token(device, () -> {
            device.context().enter();
            device.context().calls().graphExecDestroy(handle);
        });
    }

    /**
     * Notes down what a program submits to the device.
     *
     * @param program submits work to the device's queue, {@link CudaDevice#queue()}, on the calling thread. It must not look at
     *     what the work computes, for nothing is computed, nor submit work to other queues that depends on it
     */
    public static CudaGraph of(CudaDevice device, Runnable program) {
        Capture.Captured captured = Capture.run(device, program);
        CudaContext context = device.context();
        CallingThread thread = context.enter();
        try {
            device.check(context.calls().graphInstantiate(thread.answer(), captured.graph(), 0), "cuGraphInstantiate");
            return new CudaGraph(device, thread.answered(0), version(device, captured));
        } catch (RuntimeException e) {
            captured.held().forEach(Allocation::release);
            throw e;
        } finally {
            context.calls().graphDestroy(captured.graph());
        }
    }

    private static Buffer token(CudaDevice device, Runnable free) {
        return Scope.outside(
                () -> Buffer.whole(new Allocation(device, MemoryKind.DEVICE, 0, 1, (address, bytes) -> free.run())));
    }

    private static Version version(CudaDevice device, Capture.Captured captured) {
        List<Allocation> held = captured.held();
        return new Version(
                captured.accesses(), token(device, () -> held.forEach(Allocation::release)), captured.queue());
    }

    /**
     * Notes down anew what a program submits, with other arguments or on other memory.
     *
     * @throws IllegalArgumentException when the work is not the same in kind and order as before; the graph is unchanged then
     */
    public synchronized void update(Runnable program) {
        Capture.Captured captured = Capture.run(device, program);
        CudaContext context = device.context();
        CallingThread thread = context.enter();
        try {
            long result = thread.clearedStruct();
            int code = context.calls().graphExecUpdate(handle, captured.graph(), result);
            if (code != CUDA_SUCCESS) {
                RuntimeException cause = device.failure(code, "cuGraphExecUpdate");
                captured.held().forEach(Allocation::release);
                if (!(cause instanceof CudaException)) throw cause;
                throw new IllegalArgumentException(
                        "the program submits other work than was noted down; make another graph of it", cause);
            }
        } finally {
            context.calls().graphDestroy(captured.graph());
        }
        Version former = version;
        version = version(device, captured);
        former.token.close();
    }

    /**
     * Runs the work on a queue of the device, after all that it conflicts with. Returns without waiting.
     *
     * @throws IllegalStateException when the graph, or an array that the program did not free itself, was closed
     */
    public synchronized Ticket launch(Queue queue) {
        if (!(queue instanceof CudaQueue target) || target.cudaDevice() != device)
            throw new IllegalArgumentException("queue is " + queue + "; expected one of " + device.name());
        Version current = version;
        List<Access> all = new ArrayList<>();
        all.add(Access.write(token));
        all.add(Access.write(current.token));
        for (Access access : current.accesses) if (!access.buffer().isClosed()) all.add(access);
        return queue.submit("graph", all, () -> {
            device.context().enter();
            target.launches().replay(current.queue.launches(), target.numberNow());
            device.check(device.context().calls().graphLaunch(handle, target.stream()), "cuGraphLaunch");
        });
    }

    /** Frees the graph once no run is under way. Closing again does nothing. */
    @Override
    public synchronized void close() {
        version.token.close();
        token.close();
    }
}

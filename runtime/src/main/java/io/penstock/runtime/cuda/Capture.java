package io.penstock.runtime.cuda;

import static io.penstock.foreign.CudaValues.CUDA_SUCCESS;
import static io.penstock.foreign.CudaValues.CU_STREAM_CAPTURE_MODE_RELAXED;

import io.penstock.runtime.Access;
import io.penstock.runtime.Allocation;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What a program submits to a queue of its own while the driver notes it down instead of running it. The memory that it touches is
 * kept, also what the program closes, since the graph will use it.
 */
final class Capture {
    private final CudaDevice device;
    private final CudaQueue queue;
    private final Set<Access> accesses = new LinkedHashSet<>();
    private final Set<Allocation> held = new LinkedHashSet<>();

    private Capture(CudaDevice device) {
        this.device = device;
        this.queue = new CudaQueue(device, this);
    }

    /** Runs a program and notes down what it submits; what it has taken is given back when it fails. */
    static Captured run(CudaDevice device, Runnable program) {
        Capture capture = new Capture(device);
        try {
            return capture.run(program);
        } catch (Throwable e) {
            capture.held.forEach(Allocation::release);
            throw e;
        }
    }

    /**
     * What was noted down.
     *
     * @param graph the driver's handle, to be destroyed
     * @param accesses all that the work touches
     * @param held the memory that was held, to be released
     * @param queue the queue that its kernels record their failures at
     */
    record Captured(long graph, List<Access> accesses, List<Allocation> held, CudaQueue queue) {}

    private Captured run(Runnable program) {
        CudaContext context = device.context();
        CallingThread thread = context.enter();
        device.check(
                context.calls().streamBeginCapture(queue.stream(), CU_STREAM_CAPTURE_MODE_RELAXED),
                "cuStreamBeginCapture");
        int code;
        boolean complete = false;
        try {
            queue.during(program);
            complete = true;
        } finally {
            context.enter();
            code = context.calls().streamEndCapture(queue.stream(), thread.answer());
            if (!complete && code == CUDA_SUCCESS) context.calls().graphDestroy(thread.answered(0));
        }
        device.check(code, "cuStreamEndCapture");
        return new Captured(thread.answered(0), List.copyOf(accesses), List.copyOf(held), queue);
    }

    void note(List<Access> touched, Runnable body) {
        for (Access access : touched) {
            Allocation allocation = access.buffer().allocation();
            if (held.add(allocation)) allocation.hold();
            accesses.add(access);
        }
        body.run();
    }
}

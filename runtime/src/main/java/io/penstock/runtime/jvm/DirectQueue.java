package io.penstock.runtime.jvm;

import io.penstock.runtime.Device;
import io.penstock.runtime.Queue;
import io.penstock.runtime.Work;

/** Runs work on the thread that submits it. */
final class DirectQueue extends Queue {
    private final WorkerPool workers;

    DirectQueue(Device device, WorkerPool workers) {
        super(device, false);
        this.workers = workers;
    }

    @Override
    protected void enqueue(Work work) {}

    @Override
    public void parallel(long count, long grain, RangeBody body) {
        workers.parallel(count, grain, body);
    }
}

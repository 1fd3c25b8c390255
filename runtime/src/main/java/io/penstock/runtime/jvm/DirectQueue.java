package io.penstock.runtime.jvm;

import io.penstock.runtime.Device;
import io.penstock.runtime.Work;

/** Runs work on the thread that submits it. */
final class DirectQueue extends HostQueue {
    DirectQueue(Device device, WorkerPool workers) {
        super(device, workers, false);
    }

    @Override
    protected void enqueue(Work work) {}
}

package io.penstock.operator;

import io.penstock.array.NDArray;
import io.penstock.runtime.Access;
import io.penstock.runtime.Device;
import io.penstock.runtime.Queue;
import io.penstock.runtime.jvm.JvmDevice;
import java.util.ArrayList;
import java.util.List;

/** Loops over host memory as work that the ledger knows of while they run. */
final class Ordered {
    private Ordered() {}

    /**
     * Runs loops that write one array and read others on the calling thread, in their order among work of queues; kernels see to
     * their order themselves.
     */
    static void run(Runnable loops, NDArray written, NDArray... read) {
        Queue direct = JvmDevice.instance().direct();
        if (!direct.tracks() || !written.device().equals(Device.jvm())) {
            loops.run();
            return;
        }
        List<Access> accesses = new ArrayList<>();
        accesses.add(new Access(written.buffer(), written.region(), true));
        for (NDArray array : read) accesses.add(new Access(array.buffer(), array.region(), false));
        direct.submit(accesses, loops);
    }
}

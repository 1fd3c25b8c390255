package io.penstock.runtime.cuda;

import io.penstock.foreign.Libc;
import io.penstock.runtime.CompilingDevice;
import io.penstock.testing.StandInLibrary;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The stand-in for the CUDA driver: streams are threads that dawdle, and kernels are built in. */
public final class StandIn {
    private StandIn() {}

    /** Two devices whose operations begin after up to some nanoseconds. */
    public static List<? extends CompilingDevice> pair(Path folder, long mostDelay)
            throws IOException, InterruptedException {
        return load(folder, mostDelay).cudaDevices();
    }

    /** A device that has much memory and does not dawdle. */
    public static CompilingDevice large(Path folder) throws IOException, InterruptedException {
        return load(folder, 1, "STANDIN_LARGE").cudaDevices().getFirst();
    }

    /** A driver of its own, with two devices whose operations begin after up to some nanoseconds. */
    static CudaBackend load(Path folder, long mostDelay) throws IOException, InterruptedException {
        return load(folder, mostDelay, "");
    }

    /** The same, with a variable set that the stand-in looks at. */
    static CudaBackend load(Path folder, long mostDelay, String variable) throws IOException, InterruptedException {
        String library = StandInLibrary.compile("driver", folder).toString();
        Libc.setenv("STANDIN_DELAY", Long.toString(mostDelay), 1);
        if (!variable.isEmpty()) Libc.setenv(variable, "1", 1);
        try {
            CudaBackend backend = new CudaBackend(library, library);
            backend.devices();
            return backend;
        } finally {
            if (!variable.isEmpty()) Libc.setenv(variable, "0", 1);
        }
    }
}

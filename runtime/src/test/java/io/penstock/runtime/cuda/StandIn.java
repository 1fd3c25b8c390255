package io.penstock.runtime.cuda;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.foreign.Libc;
import io.penstock.runtime.CompilingDevice;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** A stand-in for the CUDA driver, compiled from driver.c: streams are threads that dawdle, and kernels are built in. */
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
        Path source = folder.resolve("driver.c");
        try (InputStream text = Objects.requireNonNull(StandIn.class.getResourceAsStream("driver.c"))) {
            Files.copy(text, source);
        }
        Path library = folder.resolve("libstandin.so");
        String[] command = {
            "cc", "-O1", "-shared", "-fPIC", "-pthread", "-o", library.toString(), source.toString(), "-ldl"
        };
        int status;
        try {
            status = new ProcessBuilder(command).inheritIO().start().waitFor();
        } catch (IOException e) {
            assumeTrue(false, "no C compiler to make a stand-in for the CUDA driver with");
            throw e;
        }
        if (status != 0) throw new IOException("the stand-in does not compile");
        Libc.setenv("STANDIN_DELAY", Long.toString(mostDelay), 1);
        if (!variable.isEmpty()) Libc.setenv(variable, "1", 1);
        try {
            CudaBackend backend = new CudaBackend(library.toString(), library.toString());
            backend.devices();
            return backend;
        } finally {
            if (!variable.isEmpty()) Libc.setenv(variable, "0", 1);
        }
    }
}

package io.penstock.runtime.cuda;

import io.penstock.runtime.Backend;
import io.penstock.runtime.Device;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The CUDA driver as a source of devices. The system property {@code penstock.cuda} is {@code none} to leave it alone, or names the
 * driver's file.
 */
public final class CudaBackend implements Backend {
    private static final String PROPERTY = "penstock.cuda";

    private final String file;
    private final @Nullable String compilerFile;
    private @Nullable Compiler compiler;
    private final Claims claims = new Claims();
    private boolean opened;
    private List<CudaDevice> devices = List.of();
    private String absence = "";
    private String version = "";

    /** The driver that the property names, or the system has. */
    public CudaBackend() {
        this(System.getProperty(PROPERTY, "libcuda.so.1"), System.getProperty(Compiler.PROPERTY));
    }

    CudaBackend(String file, @Nullable String compilerFile) {
        this.file = file;
        this.compilerFile = compilerFile;
    }

    synchronized Compiler compiler() {
        Compiler known = compiler;
        if (known == null) compiler = known = Compiler.find(compilerFile);
        return known;
    }

    private synchronized void open() {
        if (opened) return;
        opened = true;
        if (file.equals("none")) {
            absence = "-D" + PROPERTY + "=none";
            return;
        }
        // The caller may be a virtual thread, and a user's thread shall keep its context.
        Thread opener = Thread.ofPlatform().name("penstock-cuda-opening").start(this::find);
        boolean interrupted = false;
        while (opener.isAlive()) {
            try {
                opener.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) Thread.currentThread().interrupt();
    }

    private void find() {
        try {
            CudaDriver driver = CudaDriver.load(file);
            version = driver.version();
            List<CudaDevice> found = new ArrayList<>();
            for (int k = 0; k < driver.devices(); k++)
                found.add(new CudaDevice(this, new CudaContext(driver, k), name() + ":" + k));
            devices = List.copyOf(found);
            if (devices.isEmpty()) absence = "the driver " + file + " has no device";
        } catch (IllegalArgumentException | CudaException | UnsupportedOperationException e) {
            absence = String.valueOf(e.getMessage());
        }
    }

    @Override
    public String name() {
        return "cuda";
    }

    @Override
    public List<Device> devices() {
        return List.copyOf(cudaDevices());
    }

    Claims claims() {
        return claims;
    }

    List<CudaDevice> cudaDevices() {
        open();
        return devices;
    }

    @Override
    public Optional<String> absence() {
        open();
        return absence.isEmpty() ? Optional.empty() : Optional.of(absence);
    }

    /** The newest CUDA version that the driver serves, such as 13.0; empty when there is no driver. */
    public String version() {
        open();
        return version;
    }
}

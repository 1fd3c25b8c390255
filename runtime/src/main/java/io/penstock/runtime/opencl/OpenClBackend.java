package io.penstock.runtime.opencl;

import io.penstock.runtime.Backend;
import io.penstock.runtime.Device;
import java.util.List;
import java.util.Optional;

/**
 * All OpenCL drivers that the system's loader finds.
 *
 * <p>The property {@code penstock.opencl.platform} restricts them to those whose platform's name contains it, whatever the case.
 */
public final class OpenClBackend implements Backend {
    /** The one way to the drivers; {@link java.util.ServiceLoader} needs it. */
    public OpenClBackend() {}

    @Override
    public String name() {
        return "opencl";
    }

    @Override
    public List<Device> devices() {
        return List.copyOf(Drivers.get().devices());
    }

    @Override
    public Optional<String> absence() {
        String obstacle = Drivers.get().obstacle();
        return obstacle.isEmpty() ? Optional.empty() : Optional.of(obstacle);
    }
}

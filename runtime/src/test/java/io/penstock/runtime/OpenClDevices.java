package io.penstock.runtime;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;

/** The OpenCL devices of this machine, for tests; those that need some are skipped where there are none. */
final class OpenClDevices {
    private OpenClDevices() {}

    /** Two where PoCL is, since the tests run with {@code -Dpenstock.opencl.devices}; where there is but one, that twice. */
    static List<CompilingDevice> pair() {
        List<CompilingDevice> devices = all();
        return devices.size() > 1 ? devices.subList(0, 2) : List.of(devices.getFirst(), devices.getFirst());
    }

    /** All there are, at least one. */
    static List<CompilingDevice> all() {
        Backend backend = Backends.all().stream()
                .filter(b -> b.name().equals("opencl"))
                .findFirst()
                .orElseThrow();
        List<CompilingDevice> devices =
                backend.devices().stream().map(CompilingDevice.class::cast).toList();
        assumeTrue(
                !devices.isEmpty(),
                () -> "no OpenCL device: " + backend.absence().orElse(""));
        return devices;
    }
}

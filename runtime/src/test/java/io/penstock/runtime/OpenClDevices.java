package io.penstock.runtime;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;

/** The OpenCL devices of this machine, for tests; those that need some are skipped where there are none. */
final class OpenClDevices {
    private OpenClDevices() {}

    /** At least two where PoCL is, since the tests run with {@code -Dpenstock.opencl.devices}; the same one twice elsewhere. */
    static List<CompilingDevice> pair() {
        Backend backend = Backends.all().stream()
                .filter(b -> b.name().equals("opencl"))
                .findFirst()
                .orElseThrow();
        List<CompilingDevice> devices =
                backend.devices().stream().map(CompilingDevice.class::cast).toList();
        assumeTrue(
                !devices.isEmpty(),
                () -> "no OpenCL device: " + backend.absence().orElse(""));
        return devices.size() > 1 ? devices.subList(0, 2) : List.of(devices.getFirst(), devices.getFirst());
    }
}

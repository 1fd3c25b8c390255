package io.penstock.array;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.runtime.Backend;
import io.penstock.runtime.Backends;
import io.penstock.runtime.Device;

/** The devices of drivers, for tests that are skipped where there is none. */
final class Drivers {
    private Drivers() {}

    /** The first device of a driver. */
    static Device device(String driver) {
        for (Backend backend : Backends.all()) {
            if (!backend.name().equals(driver)) continue;
            assumeTrue(
                    !backend.devices().isEmpty(),
                    () -> "no " + driver + " device: " + backend.absence().orElse(""));
            return backend.devices().getFirst();
        }
        assumeTrue(false, "no driver named " + driver);
        throw new IllegalStateException();
    }
}

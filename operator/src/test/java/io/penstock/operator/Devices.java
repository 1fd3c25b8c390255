package io.penstock.operator;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.runtime.Backend;
import io.penstock.runtime.Backends;
import io.penstock.runtime.Device;

/** The devices of drivers, for tests that are skipped where there is none. */
final class Devices {
    private Devices() {}

    /** The first device of a driver. */
    static Device first(String driver) {
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

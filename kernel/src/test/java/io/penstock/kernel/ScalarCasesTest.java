package io.penstock.kernel;

import io.penstock.runtime.Device;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** What kernels can rely on, on the JVM, compiled one item at a time from the first launch on. */
class ScalarCasesTest extends DeviceCasesTest {
    private static final Tier USUAL = Tier.asked();

    static List<Device> devices() {
        return List.of(Device.jvm());
    }

    @BeforeAll
    static void compile() {
        Tier.ask(Tier.SCALAR);
    }

    @AfterAll
    static void goOn() {
        Tier.ask(USUAL);
    }
}

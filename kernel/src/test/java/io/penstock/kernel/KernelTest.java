package io.penstock.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.runtime.Buffer;
import io.penstock.runtime.Device;
import io.penstock.runtime.MemoryKind;
import org.junit.jupiter.api.Test;

class KernelTest {
    private static void axpy(WorkItem at, Floats y, Floats x, float alpha) {
        y.set(at.x(), alpha * x.get(at.x()) + y.get(at.x()));
    }

    @Test
    void runsOnEveryItem() {
        try (Buffer a = Device.jvm().allocate(4000, MemoryKind.HOST);
                Buffer b = Device.jvm().allocate(4000, MemoryKind.HOST)) {
            Floats y = Floats.of(a, 1000);
            Floats x = Floats.of(b, 1000);
            for (int i = 0; i < 1000; i++) {
                y.set(i, i);
                x.set(i, 3 * i);
            }
            Kernel.of(KernelTest::axpy).over(1000).launch(y, x, 2f);
            for (int i = 0; i < 1000; i++) assertThat(y.get(i)).isEqualTo(7f * i);
        }
    }
}

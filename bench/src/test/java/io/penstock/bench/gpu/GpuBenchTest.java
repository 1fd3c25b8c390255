package io.penstock.bench.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.kernel.Floats;
import io.penstock.runtime.Device;
import io.penstock.runtime.MemoryKind;
import io.penstock.runtime.Queue;
import io.penstock.runtime.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class GpuBenchTest {
    private static final Sizes TINY = new Sizes(5000, 3000, 9, 64, 32);

    @Test
    void allCasesFindWhatTheyShould() {
        Queue queue = Device.jvm().newQueue();
        List<String> names = new ArrayList<>();
        new GpuCases(queue, TINY, each -> {
                    assertThat(new Timing(queue, 1).median(each.run())).isPositive();
                    each.check().run();
                    names.add(each.name());
                })
                .run();
        assertThat(names)
                .containsExactly(
                        "copy engine",
                        "copy",
                        "copy, checked",
                        "triad",
                        "triad, checked",
                        "7-point stencil",
                        "7-point stencil, checked",
                        "Laplacian operator",
                        "5-way fused map",
                        "5-way fused map, checked",
                        "sum",
                        "sum, checked",
                        "tiled transpose",
                        "tiled transpose, checked",
                        "tiled product",
                        "tiled product, checked");
    }

    @Test
    void aWrongElementIsNoticed() {
        try (Scope _ = Scope.open()) {
            Floats view = Floats.of(Device.jvm().allocate(40, MemoryKind.HOST), 10);
            for (int k = 0; k < 10; k++) view.set(k, k);
            Samples samples = new Samples(Device.jvm().newQueue());
            samples.check("ramp", view, 0, place -> place);
            view.set(9, 8);
            assertThatThrownBy(() -> samples.check("ramp", view, 0.5, place -> place))
                    .hasMessage("ramp: element 9 is 8.0; expected 9.0 +- 0.5");
        }
    }

    @Test
    void rowsCompareWithPeersAndWithOneAnother() {
        GpuBench.Rows rows = new GpuBench.Rows(Peers.parse("noise\ncopy engine\t0.002\ncopy\t0.003\n"), Map.of());
        Runnable none = () -> {};
        rows.row(GpuCase.moving("copy engine", 8e9, none, none), 0.002);
        assertThat(rows.row(GpuCase.moving("copy", 8e9, none, none), 0.0025).split("\\s+"))
                .containsExactly("copy", "2.5000", "3200", "GB/s", "3.0000", "1.200", "-", "-", "0.800", "-");
        assertThat(rows.row(GpuCase.moving("copy, checked", 8e9, none, none), 0.005)
                        .split("\\s+"))
                .endsWith("0.600", "-", "-", "0.400", "0.500");
    }

    @Test
    void peersThatCannotRunAreAbsent() {
        assertThat(Peers.run(List.of("no-such-program-of-penstock"))).isInstanceOf(Peers.Missing.class);
        assertThat(Peers.run(List.of("sh", "-c", "echo no; exit 3"))).isEqualTo(new Peers.Ended(3, "no\n"));
    }
}

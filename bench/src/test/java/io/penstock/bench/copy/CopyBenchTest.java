package io.penstock.bench.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.runtime.Device;
import io.penstock.runtime.MemoryKind;
import io.penstock.runtime.Queue;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** That the benchmark runs what it says, and would notice a copy that is wrong. */
@Timeout(60)
class CopyBenchTest {
    @Test
    void allCasesOfTheJvmAreMeasured() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Table table = new Table(new PrintStream(out, true, StandardCharsets.UTF_8));
        new CopyCases(List.of(Device.jvm()), 1000, 1000, 3, CudaPeer.none(), table).run();
        assertThat(out.toString(StandardCharsets.UTF_8).lines())
                .anyMatch(line -> line.startsWith("copy engine  "))
                .anyMatch(line -> line.startsWith("single kernel, Java  "))
                .anyMatch(line -> line.startsWith("2 queues, slices, Java  "))
                .anyMatch(line -> line.startsWith("2 queues, whole arrays and column number, Java  "))
                .anyMatch(line -> line.startsWith("10000 exchanges between two queues  "));
    }

    @Test
    void aCopyThatMissesAColumnIsNoticed() {
        try (Columns columns = Columns.allocate(Device.jvm(), MemoryKind.HOST, 1000, 2)) {
            columns.spoil();
            Queue queue = Device.jvm().newQueue();
            Rounds.measure(List.of(new Lane(queue, new JavaCopier().column(queue, columns, 0))), 1);
            assertThatThrownBy(columns::check).hasMessageContaining("row 0 of column 1 is NaN after the copy");
        }
    }

    @Test
    void aFailureOfOneLaneEndsAll() {
        Runnable fails = () -> {
            throw new IllegalArgumentException("broken");
        };
        Lane good = new Lane(Device.jvm().newQueue(), () -> {});
        Lane bad = new Lane(Device.jvm().newQueue(), fails);
        assertThatThrownBy(() -> Rounds.measure(List.of(good, bad), 3)).hasMessage("broken");
        assertThatThrownBy(() -> Rounds.measure(List.of(bad, good), 3)).hasMessage("broken");
    }

    @Test
    void spreadsAreOfTheSortedValues() {
        double[] seconds = new double[100];
        for (int i = 0; i < 100; i++) seconds[i] = 100 - i;
        assertThat(Spread.of(seconds)).isEqualTo(new Spread(51, 96, 1, 100));
    }

    @Test
    void thePeersMediansAreRead() {
        CudaPeer peer = CudaPeer.parse("engine\t0.5\t0.6\t0.4\t0.7\nsmall own parts\t1e-3\t1\t1\t1\na warning\n");
        assertThat(peer.median("engine")).isEqualTo(OptionalDouble.of(0.5));
        assertThat(peer.median("small own parts")).isEqualTo(OptionalDouble.of(1e-3));
        assertThat(peer.median("single")).isEmpty();
    }
}

package io.penstock.runtime.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.runtime.DriverQueue;
import io.penstock.runtime.FailureReader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A failure record that a kernel is writing is not read before it says whose it is, again and again. */
class LaunchesTest {
    @Test
    void aRecordThatIsTakenAndNotWrittenYetIsLeftAlone() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment record = arena.allocate(FailureReader.BYTES, 8);
            Launches launches = new Launches(record.address());
            for (int round = 0; round < 3; round++) {
                launches.note("copy", round);
                record.set(JAVA_INT, 0, 1);
                assertThat(launches.takeFailure(round)).isNull();
                // A launch that is long forgotten.
                record.set(JAVA_INT, 4, 1_000_000);
                DriverQueue.Failed failed = Objects.requireNonNull(launches.takeFailure(round));
                assertThat(failed.cause()).hasMessageContaining("its name is lost");
                assertThat(record.get(JAVA_INT, 0)).isZero();
                assertThat(launches.takeFailure(round)).isNull();
            }
        }
    }
}

package io.penstock.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.testing.Seeded;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Random programs on queues end as they do in sequence; without the ledger's waits they do not. */
@Timeout(300)
class RandomProgramsTest {
    @Test
    void endAsInSequence() {
        Reclaimer.drain();
        long before = Device.jvm().memoryUse().live();
        Seeded.cases(100_000, random -> {
            RandomProgram program = new RandomProgram(random);
            assertThat(run(program)).isEqualTo(program.inSequence());
        });
        Reclaimer.drain();
        assertThat(Device.jvm().memoryUse().live()).isEqualTo(before);
    }

    @Test
    void endOtherwiseWithoutWaits() {
        SplittableRandom random = new SplittableRandom(1);
        int wrong = 0;
        Ledger.waits = false;
        try {
            for (int i = 0; i < 20_000 && wrong == 0; i++) {
                RandomProgram program = new RandomProgram(random.split());
                if (!Arrays.equals(run(program), program.inSequence())) wrong++;
            }
        } finally {
            Ledger.waits = true;
        }
        assertThat(wrong).isPositive();
    }

    static byte[] run(RandomProgram program) {
        try {
            return program.onQueues();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}

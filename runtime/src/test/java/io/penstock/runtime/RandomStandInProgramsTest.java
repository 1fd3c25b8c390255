package io.penstock.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.runtime.RandomDeviceProgram.Machine;
import io.penstock.runtime.cuda.StandIn;
import io.penstock.testing.Seeded;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Random programs on two stand-ins for CUDA devices, with the JVM beside them, end as they do in sequence; without the ledger's waits not. */
@Timeout(200)
class RandomStandInProgramsTest {
    private static final long SPINS = 20_000;

    private static List<CompilingDevice> devices = List.of();

    @BeforeAll
    static void load(@TempDir Path folder) throws IOException, InterruptedException {
        devices = List.copyOf(StandIn.pair(folder, 20_000));
    }

    @Test
    void endAsInSequence() {
        Machine machine = new Machine(devices, true);
        Seeded.cases(Integer.getInteger("penstock.test.programs", 1_000), random -> {
            RandomDeviceProgram program = new RandomDeviceProgram(random, machine, random.nextInt(4) == 0 ? SPINS : 0);
            assertThat(run(program)).isEqualTo(program.inSequence());
        });
    }

    @Test
    void endOtherwiseWithoutWaits() {
        Machine machine = new Machine(devices, true);
        SplittableRandom random = new SplittableRandom(1);
        int wrong = 0;
        Ledger.waits = false;
        try {
            for (int i = 0; i < 2_000 && wrong == 0; i++) {
                RandomDeviceProgram program = new RandomDeviceProgram(random.split(), machine, SPINS);
                if (!Arrays.equals(run(program), program.inSequence())) wrong++;
            }
        } finally {
            Ledger.waits = true;
        }
        assertThat(wrong).isPositive();
    }

    private static byte[] run(RandomDeviceProgram program) {
        try {
            return program.onDevices();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}

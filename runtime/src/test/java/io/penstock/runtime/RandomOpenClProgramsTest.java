package io.penstock.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.runtime.RandomDeviceProgram.Machine;
import io.penstock.testing.Seeded;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Random programs on two OpenCL devices with the JVM beside them end as they do in sequence; without the ledger's waits not. */
@Timeout(300)
class RandomOpenClProgramsTest extends RandomDevicePrograms {
    @Override
    Machine machine() {
        return new Machine(OpenClDevices.pair(), true);
    }

    @Override
    long spins() {
        return 20_000;
    }

    @Test
    void areInOrderBySecondOpinion() {
        Machine machine = new Machine(OpenClDevices.all(), true);
        OrderCheck.installed = new OrderCheck();
        try {
            Seeded.cases(500, random -> {
                RandomDeviceProgram program = new RandomDeviceProgram(random, machine, 0);
                assertThat(run(program)).isEqualTo(program.inSequence());
            });
        } finally {
            OrderCheck.installed = null;
        }
    }
}

package io.penstock.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.runtime.RandomDeviceProgram.Machine;
import io.penstock.testing.Seeded;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Random programs end as they do in sequence; without the ledger's waits not. A subclass for each kind of device says on which. */
abstract class RandomDevicePrograms {
    /** The devices, with the JVM beside them. */
    abstract Machine machine();

    /** How long kernels may dawdle at most, in rounds of a loop. */
    abstract long spins();

    /** How many programs are run unless a property says otherwise. */
    int programs() {
        return 2_000;
    }

    @Test
    void endAsInSequence() {
        Machine machine = machine();
        Seeded.cases(Integer.getInteger("penstock.test.programs", programs()), random -> {
            long spins = random.nextInt(4) == 0 ? spins() : 0;
            RandomDeviceProgram program = new RandomDeviceProgram(random, machine, spins);
            assertThat(run(program)).isEqualTo(program.inSequence());
        });
    }

    @Test
    void endOtherwiseWithoutWaits() {
        Machine machine = machine();
        SplittableRandom random = new SplittableRandom(1);
        int wrong = 0;
        Ledger.waits = false;
        try {
            for (int i = 0; i < 2_000 && wrong == 0; i++) {
                RandomDeviceProgram program = new RandomDeviceProgram(random.split(), machine, spins());
                if (!Arrays.equals(run(program), program.inSequence())) wrong++;
            }
        } finally {
            Ledger.waits = true;
        }
        assertThat(wrong).isPositive();
    }

    static byte[] run(RandomDeviceProgram program) {
        try {
            return program.onDevices();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}

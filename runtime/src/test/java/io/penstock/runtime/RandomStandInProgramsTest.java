package io.penstock.runtime;

import io.penstock.runtime.RandomDeviceProgram.Machine;
import io.penstock.runtime.cuda.StandIn;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Random programs on two stand-ins for CUDA devices, with the JVM beside them, end as they do in sequence; without the ledger's waits not. */
@Timeout(200)
class RandomStandInProgramsTest extends RandomDevicePrograms {
    private static List<CompilingDevice> devices = List.of();

    @BeforeAll
    static void load(@TempDir Path folder) throws IOException, InterruptedException {
        devices = List.copyOf(StandIn.pair(folder, 20_000));
    }

    @Override
    int programs() {
        return 1_000;
    }

    @Override
    Machine machine() {
        return new Machine(devices, true);
    }

    @Override
    long spins() {
        return 20_000;
    }
}

package io.penstock.distributed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.comm.Ranks;
import io.penstock.runtime.Device;
import io.penstock.testing.MpiLauncher;
import io.penstock.testing.MpiLauncher.Outcome;
import io.penstock.testing.StandInLibrary;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@link NcclArrays} on stand-ins for NCCL and CUDA's driver in a process of their own, and on the GPUs that there are. */
class NcclArraysTest {
    @Test
    void threadsWithStandInDevices(@TempDir Path folder) throws IOException, InterruptedException {
        String driver = StandInLibrary.compile("driver", folder).toString();
        Map<String, String> environment = Map.of(
                "PENSTOCK_CACHE",
                "off",
                "STANDIN_DEVICES",
                "3",
                "STANDIN_DRIVER",
                driver,
                "STANDIN_NCCL_FOLDER",
                folder.toString(),
                "PENSTOCK_NCCL",
                StandInLibrary.compile("nccl", folder).toString());
        Outcome outcome = MpiLauncher.alone(
                environment,
                List.of(
                        "-Dpenstock.cuda=" + driver,
                        "-Dpenstock.nvrtc=" + driver,
                        NcclArrays.class.getName(),
                        "2",
                        "--ranks",
                        "3"));
        assertThat(outcome.output()).contains("PASSED distributed arrays");
        assertThat(outcome.status()).as(outcome.output()).isZero();
    }

    /** A rank for each GPU; one where there is one. As a job of processes with {@code penstock.mpi.programs=any}. */
    @Tag("gpu")
    @Test
    void aThreadForEachGpu() {
        long gpus = Device.all().stream()
                .filter(device -> device.name().startsWith("cuda:"))
                .count();
        assumeTrue(gpus > 0, "there is no CUDA device");
        Ranks.run(Ranks.launched().orElse((int) gpus), ranks -> NcclArrays.check(ranks, 40));
    }
}

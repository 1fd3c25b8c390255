package io.penstock.comm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which launcher an environment tells of. */
class LauncherTest {
    @Test
    void eachLauncherIsKnownByItsMarks() {
        assertThat(Launcher.of(Map.of())).isEmpty();
        assertThat(Launcher.of(Map.of("OMPI_COMM_WORLD_RANK", "3", "OMPI_COMM_WORLD_SIZE", "4", "PMIX_RANK", "3")))
                .hasValueSatisfying(launcher -> {
                    assertThat(launcher.name()).isEqualTo("Open MPI's mpirun");
                    assertThat(launcher.rank()).isEqualTo(3);
                    assertThat(launcher.size()).isEqualTo(4);
                    assertThat(launcher.libraries()).startsWith("libmpi.so.40").contains("libmpich.so.12");
                });
        assertThat(Launcher.of(Map.of("PMI_RANK", "0", "PMI_SIZE", "2"))).hasValueSatisfying(launcher -> {
            assertThat(launcher.size()).isEqualTo(2);
            assertThat(launcher.libraries()).startsWith("libmpi.so.12");
        });
        assertThat(Launcher.of(Map.of("PMIX_RANK", "1")).orElseThrow().size()).isZero();
    }

    @Test
    void aBatchScriptOfSlurmsIsNoRank() {
        assertThat(Launcher.of(Map.of("SLURM_PROCID", "0", "SLURM_NTASKS", "8")))
                .isEmpty();
        assertThat(Launcher.of(Map.of("SLURM_PROCID", "5", "SLURM_NTASKS", "8", "SLURM_STEP_NUM_TASKS", "8")))
                .hasValueSatisfying(launcher -> assertThat(launcher.size()).isEqualTo(8));
    }

    @Test
    void theLibraryIsLookedForWhereTheLauncherSaysThatItIs() {
        Map<String, String> environment =
                Map.of("OMPI_COMM_WORLD_RANK", "0", "OMPI_COMM_WORLD_SIZE", "2", "OPAL_PREFIX", "/opt/openmpi");
        assertThat(Launcher.of(environment).orElseThrow().libraries()).startsWith("/opt/openmpi/lib/libmpi.so");
    }

    @Test
    void ranksStayThreadsWhereMpiIsNotWanted() {
        Map<String, String> two = Map.of("PMI_RANK", "0", "PMI_SIZE", "2");
        assertThat(MpiJob.launcher(two)).isPresent();
        assertThat(MpiJob.launcher(Map.of("PMI_RANK", "0", "PMI_SIZE", "2", "PENSTOCK_MPI", "none")))
                .isEmpty();
        assertThat(MpiJob.launcher(Map.of("PMI_RANK", "0", "PMI_SIZE", "1"))).isEmpty();
        assertThat(MpiJob.launcher(Map.of("PMI_RANK", "0", "PMI_SIZE", "1", "PENSTOCK_MPI", "libmpi.so")))
                .isPresent();
    }
}

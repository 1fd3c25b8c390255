package io.penstock.cli.doctor;

import java.util.List;
import java.util.Map;

/** The programs that start one process a rank, known by what they leave in the environment. */
final class Launchers {
    private static final String GROUP = "Launcher";

    private record Launcher(String name, String rank, String size) {}

    private static final List<Launcher> KNOWN = List.of(
            new Launcher("Open MPI's mpirun", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
            new Launcher("MPICH's mpiexec", "PMI_RANK", "PMI_SIZE"),
            new Launcher("a PMIx launcher", "PMIX_RANK", ""),
            new Launcher("Slurm's srun", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS"));

    private Launchers() {}

    static List<Finding> examine(Map<String, String> environment) {
        List<Finding> started = KNOWN.stream()
                .filter(launcher -> environment.containsKey(launcher.rank))
                .map(launcher -> Finding.found(
                        GROUP,
                        launcher.name,
                        "rank " + environment.get(launcher.rank) + ", size "
                                + environment.getOrDefault(launcher.size, "unknown")
                                + "; each process is a rank, by MPI, unless PENSTOCK_MPI is none"))
                .toList();
        if (!started.isEmpty()) return started;
        String looked = String.join(", ", KNOWN.stream().map(Launcher::rank).toList());
        return List.of(Finding.missing(
                GROUP, "a parallel launcher", "none of " + looked + " is set; ranks are threads of this process"));
    }
}

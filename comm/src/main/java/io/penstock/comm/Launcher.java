package io.penstock.comm;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The program that started this process as one rank of several, by what it left in the environment.
 *
 * @param name what it is called
 * @param rank this process' number
 * @param size how many processes it started; 0 when it does not say
 * @param libraries the file names under which its MPI library is usually found
 */
record Launcher(String name, int rank, int size, List<String> libraries) {
    private static final String DEBIAN = "/usr/lib/x86_64-linux-gnu/";
    private static final List<String> OPEN_MPI =
            List.of("libmpi.so.40", "libmpi.so.80", DEBIAN + "openmpi/lib/libmpi.so.40");
    private static final List<String> MPICH = List.of("libmpi.so.12", "libmpich.so.12", "libmpi_cray.so.12");
    private static final List<String> ANY = List.of("libmpi_abi.so.0", "libmpi.so", "libmpi.dylib");

    private record Kind(String name, String rank, List<String> sizes, List<String> libraries) {}

    /** In this order: a launcher that runs under another leaves both marks, and Slurm marks batch scripts too. */
    private static final List<Kind> KINDS = List.of(
            new Kind("Open MPI's mpirun", "OMPI_COMM_WORLD_RANK", List.of("OMPI_COMM_WORLD_SIZE"), OPEN_MPI),
            new Kind("an MPICH launcher", "PMI_RANK", List.of("PMI_SIZE"), MPICH),
            new Kind("Slurm's srun", "SLURM_PROCID", List.of("SLURM_STEP_NUM_TASKS"), ANY),
            new Kind("a PMIx launcher", "PMIX_RANK", List.of(), OPEN_MPI));

    /** The launcher that an environment tells of. */
    static Optional<Launcher> of(Map<String, String> environment) {
        for (Kind kind : KINDS) {
            if (number(environment.get(kind.rank)) < 0) continue;
            // A batch script of Slurm's has a rank and no step: it was not started as one of several.
            if (kind.name.contains("Slurm") && number(environment.get(kind.sizes.getFirst())) < 0) continue;
            int size = kind.sizes.stream()
                    .mapToInt(name -> number(environment.get(name)))
                    .max()
                    .orElse(0);
            return Optional.of(new Launcher(
                    kind.name, number(environment.get(kind.rank)), Math.max(0, size), inPrefix(kind, environment)));
        }
        return Optional.empty();
    }

    /** The usual names, without a launcher to say more. */
    static List<String> usualLibraries() {
        return join(ANY, join(OPEN_MPI, MPICH));
    }

    /** Open MPI tells its programs where it was installed, when that is not where it was built for. */
    private static List<String> inPrefix(Kind kind, Map<String, String> environment) {
        List<String> names =
                join(kind.libraries, usualLibraries()).stream().distinct().toList();
        String prefix = environment.get("OPAL_PREFIX");
        return prefix == null ? names : join(List.of(prefix + "/lib/libmpi.so"), names);
    }

    private static List<String> join(List<String> first, List<String> second) {
        return Stream.concat(first.stream(), second.stream()).toList();
    }

    private static int number(@Nullable String text) {
        return text != null && text.matches("\\d{1,9}") ? Integer.parseInt(text) : -1;
    }
}

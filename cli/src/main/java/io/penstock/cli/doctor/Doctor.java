package io.penstock.cli.doctor;

import io.penstock.cli.json.Json;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code doctor}: what of this machine Penstock can use, and why not the rest. */
@Command(
        name = "doctor",
        description = "Tell what of this machine Penstock can use, and why not the rest.",
        mixinStandardHelpOptions = true)
public final class Doctor implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Option(names = "--json", description = "Write JSON instead of text.")
    private boolean json;

    @Option(
            names = "--mpi",
            description =
                    "Also try the MPI of the job that this process is a rank of: mpirun -n 2 ./penstock doctor --mpi")
    private boolean mpi;

    /** Looks and tells; what is missing is no failure. */
    @Override
    public Integer call() {
        List<Finding> findings = new ArrayList<>();
        if (mpi) {
            findings.addAll(MpiFindings.examine());
            // The other ranks would say the same of the machine.
            if (findings.isEmpty()) return 0;
        }
        findings.addAll(Machine.examine());
        findings.addAll(Launchers.examine(System.getenv()));
        findings.addAll(NativeLibraries.examine());
        PrintWriter out = spec.commandLine().getOut();
        if (json) out.println(Json.text(Map.of("findings", findings)));
        else print(findings, out);
        return 0;
    }

    private static void print(List<Finding> findings, PrintWriter out) {
        int width = findings.stream().mapToInt(f -> f.name().length()).max().orElse(0);
        String group = "";
        for (Finding finding : findings) {
            if (!finding.group().equals(group)) {
                group = finding.group();
                out.println(group);
            }
            out.printf("  %s %-" + width + "s  %s%n", finding.found() ? "+" : "-", finding.name(), finding.detail());
        }
    }
}

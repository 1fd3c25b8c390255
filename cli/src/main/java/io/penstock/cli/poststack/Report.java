package io.penstock.cli.poststack;

import io.penstock.cli.json.Json;
import io.penstock.cli.plot.Fonts;
import io.penstock.comm.Communicator;
import io.penstock.distributed.DistributedArray;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** What the job leaves behind: arrays, pictures, a summary, and a table for the person who waits. */
final class Report {
    private final Configuration how;
    private final Path folder;
    private final Section section;
    private final PrintWriter out;

    Report(Configuration how, Path folder, Section section, PrintWriter out) {
        this.how = how;
        this.folder = folder;
        this.section = section;
        this.out = out;
    }

    /** Writes everything; a collective. */
    void write(Communicator ranks, Problem problem, Map<Inversion, Outcome> outcomes) throws IOException {
        save(problem.model(), "model");
        save(problem.background(), "background");
        save(problem.data(), "data");
        for (Inversion inversion : outcomes.keySet()) {
            DistributedArray found = found(outcomes, inversion);
            save(found, inversion.key());
            try (DistributedArray residual = problem.modelling().forward(found)) {
                residual.axpby(1, problem.data(), -1);
                save(residual, "residual_" + inversion.key());
            }
        }
        double background = Job.relativeError(problem.background(), problem.model());
        double agreement = Job.relativeError(found(outcomes, Inversion.NORMAL), found(outcomes, Inversion.REGULARIZED));
        Figures figures = new Figures(section, folder);
        figures.sections(ranks, problem, outcomes);
        if (ranks.rank() != 0) return;
        if (Fonts.obstacle().isEmpty()) figures.convergence(outcomes);
        Json.write(folder.resolve("summary.json"), summary(problem, outcomes, background, agreement));
        table(outcomes, background, agreement);
    }

    private static DistributedArray found(Map<Inversion, Outcome> outcomes, Inversion inversion) {
        return Objects.requireNonNull(outcomes.get(inversion)).solution().x();
    }

    private void save(DistributedArray array, String name) {
        array.save(folder.resolve(name + ".npy"));
    }

    private Map<String, Object> summary(
            Problem problem, Map<Inversion, Outcome> outcomes, double background, double agreement) {
        Map<String, Object> inversions = new LinkedHashMap<>();
        outcomes.forEach((inversion, outcome) -> inversions.put(inversion.key(), summary(outcome)));
        Map<String, Object> summary = new LinkedHashMap<>();
        summary.put("configuration", how.summary());
        summary.put("shape", problem.model().shape());
        summary.put("backgroundRelativeModelError", background);
        summary.put("regularizedDifference", agreement);
        summary.put("inversions", inversions);
        return summary;
    }

    private static Map<String, Object> summary(Outcome outcome) {
        Map<String, Object> summary = new LinkedHashMap<>();
        summary.put("relativeModelError", outcome.modelError());
        summary.put("iterations", outcome.solution().iterations());
        summary.put("stop", outcome.solution().stop().name());
        summary.put("residualNorm", outcome.solution().residualNorm());
        summary.put("secondsPerIteration", outcome.secondsPerIteration());
        summary.put("messages", outcome.traffic().messages());
        summary.put("bytes", outcome.traffic().bytes());
        summary.put("history", outcome.solution().history().residualNorms());
        return summary;
    }

    private void table(Map<Inversion, Outcome> outcomes, double background, double agreement) {
        String row = "%-32s %12s %11s %14s %10s %12s%n";
        out.printf(row, "", "model error", "iterations", "ms/iteration", "messages", "bytes");
        out.printf(row, "background", percent(background), "", "", "", "");
        outcomes.forEach((inversion, outcome) -> out.printf(
                row,
                inversion.title(),
                percent(outcome.modelError()),
                outcome.solution().iterations(),
                String.format("%.2f", outcome.secondsPerIteration() * 1e3),
                outcome.traffic().messages(),
                outcome.traffic().bytes()));
        out.printf("The two regularised inversions differ by %.1e.%n", agreement);
        Fonts.obstacle().ifPresent(reason -> out.println("No pictures: " + reason + "."));
        String written = Fonts.obstacle().isEmpty()
                ? "Arrays, sections.png, convergence.png and summary.json"
                : "Arrays and summary.json";
        out.printf("%s are in %s.%n", written, folder);
        out.flush();
    }

    private static String percent(double fraction) {
        return String.format("%.3f %%", 100 * fraction);
    }
}

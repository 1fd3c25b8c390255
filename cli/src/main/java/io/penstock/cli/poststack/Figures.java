package io.penstock.cli.poststack;

import io.penstock.array.NDArray;
import io.penstock.cli.plot.ColourMap;
import io.penstock.cli.plot.ColourScale;
import io.penstock.cli.plot.CurveFigure;
import io.penstock.cli.plot.Fonts;
import io.penstock.cli.plot.SectionFigure;
import io.penstock.comm.Communicator;
import io.penstock.distributed.DistributedArray;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The job's pictures. */
final class Figures {
    private final Section section;
    private final Path folder;

    Figures(Section section, Path folder) {
        this.section = section;
        this.folder = folder;
    }

    /** The true section, the background and what was found, side by side, of a cube its middle line; a collective. */
    void sections(Communicator ranks, Problem problem, Map<Inversion, Outcome> outcomes) throws IOException {
        Map<String, DistributedArray> shown = new LinkedHashMap<>();
        shown.put("true", problem.model());
        shown.put("background", problem.background());
        outcomes.forEach((inversion, outcome) ->
                shown.put(inversion.title(), outcome.solution().x()));
        List<Optional<NDArray>> lines =
                shown.values().stream().map(Figures::line).toList();
        if (ranks.rank() != 0 || Fonts.obstacle().isPresent()) return;
        SectionFigure figure =
                new SectionFigure("Post-stack inversion", section.across(), section.down()).panelSize(300, 420);
        ColourScale scale =
                ColourScale.of(ColourMap.SEQUENTIAL, lines.getFirst().orElseThrow(), section.unknown());
        int i = 0;
        for (String name : shown.keySet()) figure.panel(name, lines.get(i++).orElseThrow(), scale);
        figure.save(folder.resolve("sections.png"));
    }

    /** The residual norms of all inversions, each relative to its first. */
    void convergence(Map<Inversion, Outcome> outcomes) throws IOException {
        CurveFigure figure = new CurveFigure("Convergence", "iteration", "residual norm / its first");
        outcomes.forEach((inversion, outcome) -> {
            List<Double> norms = outcome.solution().history().residualNorms();
            double first = norms.getFirst();
            figure.curve(
                    inversion.title(),
                    norms.stream()
                            .mapToDouble(norm -> first == 0 ? norm : norm / first)
                            .toArray());
        });
        figure.save(folder.resolve("convergence.png"));
    }

    /** On rank 0 the section, or the middle line of the cube, of shape (samples, traces); empty on the others. */
    private static Optional<NDArray> line(DistributedArray array) {
        return array.toHost()
                .gather(0)
                .map(whole -> whole.ndim() == 2 ? whole : middle(whole))
                .map(NDArray::transpose);
    }

    private static NDArray middle(NDArray cube) {
        long line = cube.dim(0) / 2;
        return cube.slice(0, line, line + 1).reshape(cube.dim(1), cube.dim(2));
    }
}

package io.penstock.cli.plot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.cli.plot.Timeline.Arrow;
import io.penstock.cli.plot.Timeline.Box;
import io.penstock.cli.plot.Timeline.Kind;
import io.penstock.cli.plot.Timeline.Lane;
import java.awt.Color;
import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Where things are in the picture of a timeline. */
class TimelineFigureTest {
    private static final double SCALE = 1.5;
    private static final Timeline TIMELINE = new Timeline(
            List.of(
                    new Lane(
                            "cuda:0",
                            "queue 1",
                            List.of(
                                    new Box("axpy", Kind.WORK, 0.1, 0.4),
                                    new Box("copy", Kind.COPY, 0.5, 0.6),
                                    new Box("dot", Kind.WORK, 0.7, 0.75)),
                            List.of(0.9)),
                    new Lane(
                            "cuda:0",
                            "queue 2",
                            List.of(new Box("wait", Kind.WAIT, 0.1, 0.4), new Box("axpy", Kind.WORK, 0.4, 0.5)),
                            List.of()),
                    new Lane("host", "main", List.of(new Box("issue axpy", Kind.ISSUE, 0, 0.05)), List.of())),
            List.of(new Arrow(0, 0.4, 1, 0.4)));

    @BeforeEach
    void needsFont() {
        assumeTrue(Fonts.obstacle().isEmpty(), "no font");
    }

    private static TimelineFigure figure(double from, double to) {
        return new TimelineFigure("title", TIMELINE, from, to, 1000);
    }

    /** The colour near the top of a lane, where no text and no arrow is. */
    private static Color at(TimelineFigure figure, BufferedImage image, double time, int lane) {
        TimelineLayout layout = figure.layout();
        return new Color(image.getRGB((int) (SCALE * layout.x(time)), (int) (SCALE * (layout.top(lane) + 2.5))));
    }

    @Test
    void timesAndLanesLieWhereTheyShould() {
        TimelineLayout layout = figure(0, 1).layout();
        assertThat(layout.x(0)).isEqualTo(layout.left());
        assertThat(layout.x(1)).isEqualTo(layout.right());
        assertThat(layout.x(0.25) - layout.left()).isEqualTo((layout.right() - layout.left()) / 4.0, within(1e-9));
        assertThat(layout.top(1) - layout.top(0)).isEqualTo(TimelineLayout.LANE + TimelineLayout.GAP);
        // A new group has its name between.
        assertThat(layout.top(2) - layout.top(1)).isGreaterThan(2 * TimelineLayout.LANE);
        assertThat(layout.headings()).extracting(TimelineLayout.Heading::group).containsExactly("cuda:0", "host");
        assertThat(layout.bottom()).isGreaterThan(layout.top(2) + TimelineLayout.LANE);
    }

    @Test
    void boxesFillTheirTimesInTheColourOfTheirName() {
        TimelineFigure figure = figure(0, 1);
        BufferedImage image = figure.draw();
        Color axpy = at(figure, image, 0.25, 0);
        Color empty = at(figure, image, 0.45, 0);
        assertThat(at(figure, image, 0.105, 0)).isEqualTo(axpy);
        assertThat(at(figure, image, 0.395, 0)).isEqualTo(axpy);
        assertThat(at(figure, image, 0.45, 1))
                .as("the same name in another lane")
                .isEqualTo(axpy);
        assertThat(at(figure, image, 0.09, 0)).isEqualTo(empty);
        assertThat(at(figure, image, 0.41, 0)).isEqualTo(empty);
        assertThat(at(figure, image, 0.55, 0)).as("a copy").isNotIn(axpy, empty);
        assertThat(at(figure, image, 0.72, 0)).as("other work").isNotIn(axpy, empty, at(figure, image, 0.55, 0));
        assertThat(axpy).isEqualTo(TimelineColours.of(TIMELINE).get("axpy"));
    }

    @Test
    void waitsAreHatched() {
        TimelineFigure figure = figure(0, 1);
        BufferedImage image = figure.draw();
        List<Color> row = new ArrayList<>();
        for (double time = 0.12; time < 0.38; time += 0.0005) row.add(at(figure, image, time, 1));
        assertThat(row).contains(Color.WHITE);
        assertThat(row.stream().filter(colour -> colour.getRed() < 200).count())
                .isBetween(row.size() / 20L, row.size() * 2L / 3);
    }

    @Test
    void anArrowRunsFromLaneToLane() {
        TimelineFigure figure = figure(0, 1);
        BufferedImage image = figure.draw();
        TimelineLayout layout = figure.layout();
        // Between the lanes, where nothing else is.
        int y = (int) (SCALE * (layout.top(1) - TimelineLayout.GAP / 2.0));
        int x = (int) (SCALE * layout.x(0.4));
        boolean dark = false;
        for (int dx = -2; dx <= 2; dx++) dark |= new Color(image.getRGB(x + dx, y)).getRed() < 160;
        assertThat(dark).isTrue();
        assertThat(new Color(image.getRGB(x + 30, y)).getRed()).isGreaterThan(220);
    }

    @Test
    void aFailureIsCrossed() {
        TimelineFigure figure = figure(0, 1);
        BufferedImage image = figure.draw();
        Color cross = new Color(image.getRGB((int) (SCALE * figure.layout().x(0.9)), (int)
                (SCALE * figure.layout().middle(0))));
        assertThat(cross.getRed()).isGreaterThan(150);
        assertThat(cross.getGreen()).isLessThan(80);
    }

    @Test
    void aStretchShowsOnlyWhatReachesIntoIt() {
        Timeline part = TIMELINE.between(0.45, 0.48);
        assertThat(part.lanes()).extracting(Lane::name).containsExactly("queue 2");
        assertThat(part.lanes().getFirst().boxes()).containsExactly(new Box("axpy", Kind.WORK, 0.4, 0.5));
        assertThat(part.arrows()).isEmpty();
        TimelineFigure figure = figure(0.45, 0.48);
        BufferedImage image = figure.draw();
        assertThat(at(figure, image, 0.452, 0)).isEqualTo(at(figure, image, 0.478, 0));
        assertThat(TIMELINE.between(0.3, 0.42).arrows()).containsExactly(new Arrow(0, 0.4, 1, 0.4));
    }

    @Test
    void aMillionBoxesThinnerThanAPixelAreSeenAndDrawnSoon() {
        List<Box> boxes = new ArrayList<>();
        for (int k = 0; k < 1_000_000; k++) boxes.add(new Box("tiny", Kind.WORK, k * 1e-6, k * 1e-6 + 1e-7));
        boxes.add(new Box("long", Kind.WORK, 0.5, 0.6));
        Timeline dense = new Timeline(List.of(new Lane("jvm", "queue", boxes, List.of())), List.of());
        TimelineFigure figure = new TimelineFigure("dense", dense, 0, 1, 1000);
        BufferedImage image = figure.draw();
        Color tiny = Objects.requireNonNull(TimelineColours.of(dense).get("tiny"));
        assertThat(at(figure, image, 0.55, 0))
                .isEqualTo(TimelineColours.of(dense).get("long"));
        assertThat(at(figure, image, 0.3, 0).getBlue()).isCloseTo(tiny.getBlue(), within(60));
    }

    @Test
    void nonsenseIsRefused() {
        assertThatThrownBy(() -> figure(1, 1)).hasMessageContaining("from is 1.0 and to is 1.0");
        assertThatThrownBy(() -> new TimelineFigure("title", TIMELINE, 0, 1, 10))
                .hasMessageContaining("width is 10");
    }
}

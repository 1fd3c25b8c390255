package io.penstock.cli.plot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlotTest {
    private static final Axis AXIS = new Axis("m", 0, 1);

    @TempDir
    private Path folder;

    @Test
    void sequentialColoursGetBrighterAllTheWay() {
        double last = -1;
        for (int i = 0; i <= 100; i++) {
            double brightness = brightness(ColourMap.SEQUENTIAL.colour(i / 100.0));
            assertThat(brightness).isGreaterThan(last);
            last = brightness;
        }
    }

    @Test
    void divergingColoursAreBrightestInTheMiddle() {
        assertThat(ColourMap.DIVERGING.colour(0.5)).isEqualTo(0xF7F7F7);
        assertThat(brightness(ColourMap.DIVERGING.colour(0))).isLessThan(100);
        assertThat(brightness(ColourMap.DIVERGING.colour(1))).isLessThan(100);
    }

    @Test
    void coloursOutsideTheScaleAreItsEnds() {
        assertThat(ColourMap.GREY.colour(-7)).isZero();
        assertThat(ColourMap.GREY.colour(7)).isEqualTo(0xFFFFFF);
        assertThat(ColourMap.GREY.colour(Double.NaN)).isEqualTo(0xC0C0C0);
    }

    @Test
    void scalesSpanTheFiniteValues() {
        NDArray values = NDArray.of(3, -1, Double.NaN, Double.POSITIVE_INFINITY, 2);
        assertThat(ColourScale.of(ColourMap.GREY, values, "")).isEqualTo(new ColourScale(ColourMap.GREY, -1, 3, ""));
        assertThat(ColourScale.symmetric(ColourMap.GREY, values, ""))
                .isEqualTo(new ColourScale(ColourMap.GREY, -3, 3, ""));
        ColourScale constant = ColourScale.of(ColourMap.GREY, NDArray.of(5, 5), "");
        assertThat(constant.low()).isLessThan(5);
        assertThat(constant.high()).isGreaterThan(5);
        assertThatThrownBy(() -> new ColourScale(ColourMap.GREY, 1, 1, ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("low is 1.0 and high is 1.0");
    }

    @Test
    void ticksAreRoundNumbers() {
        assertThat(Ticks.between(0, 1, 6).values()).containsExactly(0.0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0);
        assertThat(Ticks.between(-0.3, 2.1, 6).values())
                .hasSize(5)
                .startsWith(0.0)
                .endsWith(2.0);
        Ticks small = Ticks.between(7.61, 7.64, 6);
        assertThat(small.values().stream().map(small::text)).startsWith("7.610", "7.615");
    }

    @Test
    void aPanelShowsEachSampleWhereItLies() throws IOException {
        NDArray section = NDArray.zeros(DType.F64, 2, 3);
        section.set(1, 1, 2);
        ColourScale scale = new ColourScale(ColourMap.GREY, 0, 1, "");
        Path file = folder.resolve("a.png");
        new SectionFigure("title", AXIS, AXIS)
                .panelSize(300, 200)
                .panel("one", section, scale)
                .save(file);
        BufferedImage image = ImageIO.read(file.toFile());
        assertThat(pixel(image, 250, 150))
                .as("the sample that is 1, bottom right")
                .isEqualTo(0xFFFFFF);
        assertThat(pixel(image, 150, 150)).as("bottom middle").isZero();
        assertThat(pixel(image, 250, 50)).as("top right").isZero();
    }

    /** A pixel of the first panel, whose corner is at (70, 64), half as many pixels again as points. */
    private static int pixel(BufferedImage image, int x, int y) {
        return image.getRGB((70 + x) * 3 / 2, (64 + y) * 3 / 2) & 0xFFFFFF;
    }

    @Test
    void panelsOfOneScaleShareAColourBar() {
        NDArray section = NDArray.zeros(DType.F32, 4, 4);
        ColourScale one = new ColourScale(ColourMap.GREY, 0, 1, "");
        ColourScale other = new ColourScale(ColourMap.GREY, 0, 2, "");
        int shared = new SectionFigure("", AXIS, AXIS)
                .panel("a", section, one)
                .panel("b", section, one)
                .draw()
                .getWidth();
        int separate = new SectionFigure("", AXIS, AXIS)
                .panel("a", section, one)
                .panel("b", section, other)
                .draw()
                .getWidth();
        assertThat(shared).isLessThan(separate);
    }

    @Test
    void sectionsThatCannotBeDrawnAreRefused() {
        SectionFigure figure = new SectionFigure("", AXIS, AXIS);
        ColourScale scale = new ColourScale(ColourMap.GREY, 0, 1, "");
        assertThatThrownBy(() -> figure.panel("", NDArray.of(1, 2), scale))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected a real array of two dimensions");
    }

    @Test
    void curvesAreDrawnWhateverTheirValues() throws IOException {
        Path file = folder.resolve("c.png");
        new CurveFigure("t", "x", "y")
                .curve("falling", 1, 0.1, 1e-12)
                .curve("with zeros", 1, 0, Double.NaN, 1e-3)
                .curve("one", 0.5)
                .curve("nothing", 0, -1)
                .save(file);
        BufferedImage image = ImageIO.read(file.toFile());
        assertThat(image.getWidth()).isEqualTo(1100);
        assertThat(colours(image)).contains(0x0072B2, 0xD55E00);
    }

    @Test
    void aFigureWithoutAnyCurveIsDrawnToo() {
        assertThat(new CurveFigure("t", "x", "y").curve("nothing").draw().getHeight())
                .isEqualTo(700);
    }

    private static Set<Integer> colours(BufferedImage image) {
        Set<Integer> colours = new HashSet<>();
        for (int y = 0; y < image.getHeight(); y++)
            for (int x = 0; x < image.getWidth(); x++) colours.add(image.getRGB(x, y) & 0xFFFFFF);
        return colours;
    }

    private static double brightness(int colour) {
        return 0.299 * (colour >> 16 & 0xFF) + 0.587 * (colour >> 8 & 0xFF) + 0.114 * (colour & 0xFF);
    }
}

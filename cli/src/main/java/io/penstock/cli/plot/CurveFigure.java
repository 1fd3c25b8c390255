package io.penstock.cli.plot;

import java.awt.Color;
import java.awt.Font;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.XYStyler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** A picture of curves over a count, such as residual norms over iterations, with a logarithmic vertical axis. */
public final class CurveFigure {
    /** Wong's palette, which colour-blind people can tell apart (Nature Methods 8, 2011). */
    private static final Color[] COLOURS = {
        new Color(0x0072B2), new Color(0xD55E00), new Color(0x009E73), new Color(0xCC79A7), new Color(0xE69F00)
    };

    private static final String RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

    private final XYChart chart;

    /** A figure without curves. */
    public CurveFigure(String title, String across, String up) {
        chart = new XYChartBuilder()
                .width(1100)
                .height(700)
                .title(title)
                .xAxisTitle(across)
                .yAxisTitle(up)
                .build();
        XYStyler style = chart.getStyler();
        style.setYAxisLogarithmic(true)
                .setYAxisTickLabelsFormattingFunction(CurveFigure::decade)
                .setXAxisTickMarkSpacingHint(100)
                .setAxisTitleFont(new Font(Font.SANS_SERIF, Font.PLAIN, 19))
                .setAxisTickLabelsFont(new Font(Font.SANS_SERIF, Font.PLAIN, 16))
                .setPlotGridLinesColor(new Color(0xDDDDDD));
        style.setLegendPosition(Styler.LegendPosition.InsideNE)
                .setLegendFont(new Font(Font.SANS_SERIF, Font.PLAIN, 17))
                .setChartBackgroundColor(Color.WHITE)
                .setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, 22))
                .setSeriesColors(COLOURS)
                .setChartPadding(16);
    }

    /**
     * Adds a curve.
     *
     * @param values the value at 0, 1, 2, ...; what a logarithm cannot show (zero, negative, NaN) is left out
     */
    public CurveFigure curve(String name, double... values) {
        int[] shown = IntStream.range(0, values.length)
                .filter(i -> values[i] > 0 && Double.isFinite(values[i]))
                .toArray();
        if (shown.length == 0) return this;
        double[] x = IntStream.of(shown).asDoubleStream().toArray();
        double[] y = IntStream.of(shown).mapToDouble(i -> values[i]).toArray();
        chart.addSeries(name, x, y)
                .setMarker(shown.length == 1 ? SeriesMarkers.CIRCLE : SeriesMarkers.NONE)
                .setLineWidth(3);
        return this;
    }

    /**
     * Draws the picture into a PNG file.
     *
     * @throws IllegalStateException when there is no font, as {@link Fonts#obstacle} tells
     */
    public void save(Path file) throws IOException {
        Fonts.require();
        Png.write(draw(), file);
    }

    /** A power of ten as 10 with raised digits. */
    private static String decade(double value) {
        long exponent = Math.round(Math.log10(value));
        StringBuilder text = new StringBuilder("10");
        for (char c : Long.toString(exponent).toCharArray()) text.append(c == '-' ? '⁻' : RAISED.charAt(c - '0'));
        return text.toString();
    }

    BufferedImage draw() {
        return BitmapEncoder.getBufferedImage(chart);
    }
}

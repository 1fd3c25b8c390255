package io.penstock.cli.plot;

import io.penstock.array.NDArray;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A picture of two-dimensional sections side by side, with common axes and a colour bar for each colour scale.
 *
 * <p>Rows of a section run down the picture, columns to the right.
 */
public final class SectionFigure {
    private static final double SCALE = 1.5;
    private static final int LEFT = 70;
    private static final int TOP = 64;
    private static final int BOTTOM = 58;
    private static final int RIGHT = 20;
    private static final int GAP = 22;
    private static final int BAR_GAP = 14;
    private static final int BAR = 16;
    private static final int BAR_TEXT = 74;

    private final String title;
    private final Axis across;
    private final Axis down;
    private final List<Panel> panels = new ArrayList<>();
    private int panelWidth = 380;
    private int panelHeight = 300;

    /**
     * A figure without panels.
     *
     * @param across the horizontal axis, along the columns of the sections
     * @param down the vertical axis, along their rows
     */
    public SectionFigure(String title, Axis across, Axis down) {
        this.title = title;
        this.across = across;
        this.down = down;
    }

    /** Sets the size of each panel, in points of a page (the picture has half as many pixels again). */
    public SectionFigure panelSize(int width, int height) {
        if (width < 50 || height < 50)
            throw new IllegalArgumentException(
                    "panel size is " + width + " by " + height + "; expected 50 by 50 or more");
        panelWidth = width;
        panelHeight = height;
        return this;
    }

    /**
     * Adds a section to the right of those already there.
     *
     * @param section a real array of two dimensions, none empty; its values are read at once
     * @throws IllegalArgumentException when it is not such an array
     */
    public SectionFigure panel(String name, NDArray section, ColourScale scale) {
        if (section.ndim() != 2 || section.size() == 0 || section.dtype().isComplex())
            throw new IllegalArgumentException(
                    "section lies in " + section.space() + "; expected a real array of two dimensions, none empty");
        panels.add(new Panel(name, Raster.of(section), scale));
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

    BufferedImage draw() {
        BufferedImage image = new BufferedImage(
                (int) Math.ceil(SCALE * width()),
                (int) Math.ceil(SCALE * (TOP + panelHeight + BOTTOM)),
                BufferedImage.TYPE_INT_RGB);
        Graphics2D g = image.createGraphics();
        try {
            g.setColor(Color.WHITE);
            g.fillRect(0, 0, image.getWidth(), image.getHeight());
            g.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
            g.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
            g.setRenderingHint(RenderingHints.KEY_FRACTIONALMETRICS, RenderingHints.VALUE_FRACTIONALMETRICS_ON);
            g.scale(SCALE, SCALE);
            drawAll(g);
        } finally {
            g.dispose();
        }
        return image;
    }

    private int width() {
        int width = LEFT + RIGHT;
        for (int i = 0; i < panels.size(); i++) width += panelWidth + (endsGroup(i) ? BAR_GAP + BAR + BAR_TEXT : GAP);
        return width;
    }

    /** Whether the next panel has another colour scale, so that this one's bar stands here. */
    private boolean endsGroup(int panel) {
        return panel + 1 == panels.size()
                || !panels.get(panel + 1).scale().equals(panels.get(panel).scale());
    }

    private void drawAll(Graphics2D g) {
        g.setColor(Color.BLACK);
        g.setFont(new Font(Font.SANS_SERIF, Font.BOLD, 16));
        Text.centred(g, title, width() / 2.0, 26);
        int x = LEFT;
        for (int i = 0; i < panels.size(); i++) {
            Panel panel = panels.get(i);
            panel.raster().draw(g, panel.scale(), x, TOP, panelWidth, panelHeight);
            frame(g, x, panelWidth);
            g.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, 14));
            Text.centred(g, panel.name(), x + panelWidth / 2.0, TOP - 10);
            axisAcross(g, panel.raster(), x);
            axisDown(g, panel.raster(), x, i == 0);
            x += panelWidth;
            if (endsGroup(i)) {
                bar(g, panel.scale(), x + BAR_GAP);
                x += BAR_GAP + BAR + BAR_TEXT;
            } else {
                x += GAP;
            }
        }
    }

    private void frame(Graphics2D g, int x, int width) {
        g.setColor(Color.BLACK);
        g.setStroke(new BasicStroke(0.8f));
        g.drawRect(x, TOP, width, panelHeight);
    }

    private void axisAcross(Graphics2D g, Raster raster, int x) {
        g.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12));
        double low = across.first() - across.step() / 2;
        double span = across.step() * raster.columns();
        Ticks ticks = Ticks.between(low, low + span, 6);
        int bottom = TOP + panelHeight;
        for (double value : ticks.values()) {
            double at = x + (value - low) / span * panelWidth;
            g.drawLine((int) Math.round(at), bottom, (int) Math.round(at), bottom + 4);
            Text.centred(g, ticks.text(value), at, bottom + 18);
        }
        g.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, 13));
        Text.centred(g, across.label(), x + panelWidth / 2.0, bottom + 40);
    }

    private void axisDown(Graphics2D g, Raster raster, int x, boolean labelled) {
        g.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12));
        double low = down.first() - down.step() / 2;
        double span = down.step() * raster.rows();
        Ticks ticks = Ticks.between(low, low + span, 6);
        for (double value : ticks.values()) {
            double at = TOP + (value - low) / span * panelHeight;
            g.drawLine(x - 4, (int) Math.round(at), x, (int) Math.round(at));
            if (labelled) Text.endingAt(g, ticks.text(value), x - 7, at + 4);
        }
        g.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, 13));
        if (labelled) Text.upward(g, down.label(), x - 48, TOP + panelHeight / 2.0);
    }

    private void bar(Graphics2D g, ColourScale scale, int x) {
        Raster.ramp(scale).draw(g, scale, x, TOP, BAR, panelHeight);
        frame(g, x, BAR);
        g.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12));
        Ticks ticks = Ticks.between(scale.low(), scale.high(), 6);
        for (double value : ticks.values()) {
            double at = TOP + (scale.high() - value) / (scale.high() - scale.low()) * panelHeight;
            g.drawLine(x + BAR, (int) Math.round(at), x + BAR + 4, (int) Math.round(at));
            g.drawString(ticks.text(value), x + BAR + 7f, (float) at + 4);
        }
        g.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, 13));
        Text.upward(g, scale.label(), x + BAR + 60, TOP + panelHeight / 2.0);
    }

    private record Panel(String name, Raster raster, ColourScale scale) {}
}

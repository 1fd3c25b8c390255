package io.penstock.cli.plot;

import io.penstock.array.NDArray;
import java.awt.Graphics2D;
import java.awt.geom.AffineTransform;
import java.awt.image.BufferedImage;

/** The values of a section, row by row, ready to be drawn at any size. */
final class Raster {
    private final double[] values;
    private final int rows;
    private final int columns;

    private Raster(double[] values, int rows, int columns) {
        this.values = values;
        this.rows = rows;
        this.columns = columns;
    }

    static Raster of(NDArray section) {
        return new Raster(section.toDoubles(), Math.toIntExact(section.dim(0)), Math.toIntExact(section.dim(1)));
    }

    /** A column that runs through a scale from its last value down to its first. */
    static Raster ramp(ColourScale scale) {
        double[] values = new double[256];
        for (int i = 0; i < 256; i++) values[i] = scale.high() - (scale.high() - scale.low()) * i / 255;
        return new Raster(values, 256, 1);
    }

    int rows() {
        return rows;
    }

    int columns() {
        return columns;
    }

    /** Draws into a rectangle of user space, one colour for each pixel of the picture. */
    void draw(Graphics2D g, ColourScale scale, int x, int y, int width, int height) {
        AffineTransform before = g.getTransform();
        int wide = (int) Math.round(width * before.getScaleX());
        int high = (int) Math.round(height * before.getScaleY());
        BufferedImage image = new BufferedImage(wide, high, BufferedImage.TYPE_INT_RGB);
        for (int j = 0; j < high; j++)
            for (int i = 0; i < wide; i++) image.setRGB(i, j, scale.colour(mean(i, wide, j, high)));
        g.translate(x, y);
        g.scale(1 / before.getScaleX(), 1 / before.getScaleY());
        g.drawImage(image, 0, 0, null);
        g.setTransform(before);
    }

    /** The mean of the samples that a pixel covers; the one it lies in where it covers less than one. */
    private double mean(int i, int wide, int j, int high) {
        int left = (int) ((long) i * columns / wide);
        int right = Math.max(left + 1, (int) ((i + 1L) * columns / wide));
        int top = (int) ((long) j * rows / high);
        int bottom = Math.max(top + 1, (int) ((j + 1L) * rows / high));
        double sum = 0;
        for (int r = top; r < bottom; r++) for (int c = left; c < right; c++) sum += values[r * columns + c];
        return sum / ((long) (right - left) * (bottom - top));
    }
}

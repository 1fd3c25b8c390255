package io.penstock.cli.documents;

import gallery.Bilateral;
import gallery.ComplexMap;
import gallery.Life;
import gallery.Mandelbrot;
import gallery.NBody;
import gallery.RayBox;
import gallery.Wave;
import io.penstock.kernel.Bytes;
import io.penstock.kernel.ComplexDoubles;
import io.penstock.kernel.Floats;
import io.penstock.kernel.Ints;
import io.penstock.runtime.Device;
import io.penstock.runtime.Scope;
import java.awt.Color;
import java.awt.image.BufferedImage;
import java.awt.image.IndexColorModel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;
import javax.imageio.ImageIO;

/** Draws the pictures of docs/gallery.md: {@code GalleryPictures FOLDER [DEVICE]}. */
final class GalleryPictures {
    private final GalleryArrays arrays;
    private final Path folder;

    private GalleryPictures(GalleryArrays arrays, Path folder) {
        this.arrays = arrays;
        this.folder = folder;
    }

    /** Draws them all. */
    public static void main(String[] args) throws IOException {
        Device device = args.length > 1 ? Device.named(args[1]) : Device.jvm();
        try (Scope _ = Scope.open()) {
            GalleryPictures pictures = new GalleryPictures(new GalleryArrays(device.newQueue()), Path.of(args[0]));
            pictures.wave();
            pictures.mandelbrot();
            pictures.life();
            pictures.rayBox();
            pictures.complexMap();
            pictures.bilateral();
            pictures.nBody();
        }
    }

    /** A plane wave behind a wall with two slits. */
    private void wave() throws IOException {
        int rows = 240, columns = 400, wall = 90;
        float[] speed = new float[rows * columns];
        for (int k = 0; k < speed.length; k++) {
            int i = k / columns, j = k % columns;
            boolean slit = Math.abs(Math.abs(i - rows / 2) - 24) < 7;
            speed[k] = j >= wall && j < wall + 4 && !slit ? 0 : 0.4f;
        }
        Floats now = arrays.floats(new float[speed.length], rows, columns);
        Floats before = arrays.floats(new float[speed.length], rows, columns);
        Wave.run(arrays.queue(), now, before, arrays.floats(speed, rows, columns), 250);
        float[] found = arrays.read(now);
        int[] palette = new int[256];
        for (int k = 0; k < 255; k++) {
            int light = 255 - Math.abs(k - 127) * 2;
            palette[k] = k < 127 ? rgb(light, light, 255) : rgb(255, light, light);
        }
        palette[255] = rgb(70, 70, 70);
        draw("wave", rows, columns, palette, k -> {
            if (speed[k] == 0) return 255;
            double seen = Math.clamp(found[k] / (k % columns < wall ? 2.5 : 0.8), -1, 1);
            return (int) Math.round(127 + 126 * seen);
        });
    }

    /** Two spinning discs that pass through one another, seen from above; brighter where bodies have been. */
    private void nBody() throws IOException {
        int n = 2048, size = 300;
        SplittableRandom random = new SplittableRandom(3);
        float[] bodies = new float[4 * n], velocities = new float[3 * n];
        for (int k = 0; k < n; k++) {
            int side = k % 2 == 0 ? 1 : -1;
            double r = 0.05 + 0.75 * Math.sqrt(random.nextDouble()), angle = random.nextDouble(2 * Math.PI);
            double speed = Math.sqrt(0.5 * r) * 0.95;
            bodies[4 * k] = (float) (r * Math.cos(angle) + side * 1.1);
            bodies[4 * k + 1] = (float) (r * Math.sin(angle) + side * 0.45);
            bodies[4 * k + 2] = (float) random.nextDouble(-0.02, 0.02);
            bodies[4 * k + 3] = 1f / n;
            velocities[3 * k] = (float) (-speed * Math.sin(angle) - side * 0.35);
            velocities[3 * k + 1] = (float) (speed * Math.cos(angle));
        }
        Floats places = arrays.floats(bodies, n, 4);
        Floats speeds = arrays.floats(velocities, n, 3);
        NBody.run(arrays.queue(), places, speeds, 0.01f, 160);
        int[] count = new int[size * size];
        for (int k = 0; k < 16; k++) {
            NBody.run(arrays.queue(), places, speeds, 0.0025f, 1);
            float[] now = arrays.read(places);
            for (int b = 0; b < n; b++) {
                int i = (int) (size / 2f - now[4 * b + 1] * size / 4);
                int j = (int) (size / 2f + now[4 * b] * size / 4);
                if (i >= 0 && j >= 0 && i < size && j < size) count[i * size + j]++;
            }
        }
        draw("n-body", size, size, heat(), k -> (int) Math.min(255, 90 * Math.sqrt(count[k])));
    }

    private void mandelbrot() throws IOException {
        int rows = 240, columns = 320, most = 400;
        Ints rounds = arrays.ints(new int[rows * columns], rows, columns);
        Mandelbrot.run(arrays.queue(), rounds, -0.7485, 0.1255, 0.00003, most);
        int[] found = arrays.read(rounds);
        int[] palette = heat();
        draw("mandelbrot", rows, columns, palette, k -> {
            double seen = Math.log(found[k] / 20.0) / Math.log(most / 20.0);
            return found[k] == most ? 0 : (int) (255 * Math.clamp(seen, 0, 1));
        });
    }

    /** Seven cells, the "acorn", 520 generations later. */
    private void life() throws IOException {
        int rows = 100, columns = 150, scale = 3;
        byte[] cells = new byte[rows * columns];
        int[][] acorn = {{0, 1}, {1, 3}, {2, 0}, {2, 1}, {2, 4}, {2, 5}, {2, 6}};
        for (int[] cell : acorn) cells[(45 + cell[0]) * columns + 75 + cell[1]] = 1;
        Bytes now = arrays.bytes(cells, rows, columns);
        Life.run(arrays.queue(), now, arrays.bytes(new byte[cells.length], rows, columns), 260);
        byte[] found = arrays.read(now);
        int[] palette = {rgb(250, 250, 245), rgb(20, 70, 90)};
        draw("life", rows * scale, columns * scale, palette, k -> {
            int i = k / (columns * scale) / scale, j = k % (columns * scale) / scale;
            return found[i * columns + j];
        });
    }

    private void rayBox() throws IOException {
        int rows = 240, columns = 360;
        SplittableRandom random = new SplittableRandom(7);
        float[] boxes = new float[6 * 24];
        for (int k = 0; k < boxes.length; k += 6) {
            double x = random.nextDouble(-5, 5), z = random.nextDouble(-1, 9), width = random.nextDouble(0.4, 1.1);
            boxes[k] = (float) x;
            boxes[k + 2] = (float) z;
            boxes[k + 3] = (float) (x + width);
            boxes[k + 4] = (float) random.nextDouble(0.3, 2.4);
            boxes[k + 5] = (float) (z + width);
        }
        Floats light = arrays.floats(new float[rows * columns], rows, columns);
        RayBox.run(arrays.queue(), light, arrays.floats(boxes, 24, 6));
        float[] found = arrays.read(light);
        draw("ray-box", rows, columns, gray(), k -> (int) (255 * Math.clamp(found[k], 0, 1)));
    }

    /** Hue shows the angle of the value, and bands of brightness its size. */
    private void complexMap() throws IOException {
        int size = 280, hues = 36, shades = 7;
        double[] parts = new double[2 * size * size];
        for (int k = 0; k < size * size; k++) {
            parts[2 * k] = (k % size - size / 2) * 6.0 / size;
            parts[2 * k + 1] = (size / 2 - k / size) * 6.0 / size;
        }
        ComplexDoubles out = arrays.complex(parts);
        ComplexMap.run(arrays.queue(), out, out);
        double[] found = arrays.read(out);
        int[] palette = new int[hues * shades];
        for (int hue = 0; hue < hues; hue++)
            for (int shade = 0; shade < shades; shade++)
                palette[hue * shades + shade] = Color.HSBtoRGB((float) hue / hues, 0.75f, 0.6f + 0.06f * shade);
        draw("complex-map", size, size, palette, k -> {
            double turn = Math.atan2(found[2 * k + 1], found[2 * k]) / (2 * Math.PI) + 1;
            double doublings = Math.log(Math.hypot(found[2 * k], found[2 * k + 1])) / Math.log(2);
            int hue = (int) (turn * hues) % hues;
            return hue * shades + (int) ((doublings - Math.floor(doublings)) * (shades - 0.001));
        });
    }

    /** A noisy picture, and beside it what the filter makes of it. */
    private void bilateral() throws IOException {
        int size = 170;
        SplittableRandom random = new SplittableRandom(5);
        float[] picture = new float[size * size];
        for (int k = 0; k < picture.length; k++) {
            int i = k / size, j = k % size;
            double base = Math.hypot(i - 70, j - 70) < 45 ? 0.8 : (i / 34 + j / 34) % 2 == 0 ? 0.3 : 0.45;
            picture[k] = (float) (base + 0.06 * random.nextGaussian());
        }
        Floats out = arrays.floats(new float[picture.length], size, size);
        Bilateral.run(arrays.queue(), out, arrays.floats(picture, size, size), 8, 4, 0.15);
        float[] found = arrays.read(out);
        int gap = 8;
        draw("bilateral", size, 2 * size + gap, gray(), k -> {
            int i = k / (2 * size + gap), j = k % (2 * size + gap);
            if (j >= size && j < size + gap) return 255;
            float seen = j < size ? picture[i * size + j] : found[i * size + j - size - gap];
            return (int) (255 * Math.clamp(seen, 0, 1)) & 0xf8;
        });
    }

    private static int rgb(int red, int green, int blue) {
        return 0xff000000 | red << 16 | green << 8 | blue;
    }

    private static int[] gray() {
        int[] palette = new int[256];
        for (int k = 0; k < 256; k++) palette[k] = rgb(k, k, k);
        return palette;
    }

    /** Black, violet, orange, yellow, white. */
    private static int[] heat() {
        int[] palette = new int[256];
        for (int k = 0; k < 256; k++) {
            double t = k / 255.0;
            double red = Math.clamp(2.2 * t, 0, 1), green = Math.clamp(2.2 * t - 0.8, 0, 1);
            double blue = t < 0.35 ? 1.6 * t : Math.clamp(Math.abs(t - 0.62) * 2.6 - 0.1, 0, 1);
            palette[k] = rgb((int) (255 * red), (int) (255 * green), (int) (255 * blue));
        }
        return palette;
    }

    private void draw(String name, int rows, int columns, int[] palette, IntUnaryOperator colour) throws IOException {
        IndexColorModel colours = new IndexColorModel(8, palette.length, palette, 0, false, -1, 0);
        BufferedImage image = new BufferedImage(columns, rows, BufferedImage.TYPE_BYTE_INDEXED, colours);
        for (int k = 0; k < rows * columns; k++)
            image.getRaster().setSample(k % columns, k / columns, 0, colour.applyAsInt(k));
        ImageIO.write(image, "png", folder.resolve("gallery-" + name + ".png").toFile());
    }
}

package io.penstock.cli.documents;

import java.math.BigDecimal;
import java.math.MathContext;

/** What the gallery's kernels should find, in plain Java and double precision, and by other ways where there are others. */
final class References {
    private References() {}

    /** The plate after a number of steps, and one step before. */
    static double[][] wave(int rows, int columns, float[] speed, int steps) {
        double[] now = new double[rows * columns];
        double[] before = new double[rows * columns];
        for (int step = 0; step < steps; step++) {
            double[] next = now.clone();
            for (int k = 0; k < next.length; k++) {
                int i = k / columns, j = k % columns;
                if (j == 0) next[k] = (float) Math.sin(0.35 * step);
                else if (i == 0 || i == rows - 1 || j == columns - 1) next[k] = 0;
                else {
                    double bend = now[k - 1] - 2 * now[k] + now[k + 1];
                    bend += now[k - columns] - 2 * now[k] + now[k + columns];
                    next[k] = now[k] + (now[k] - before[k]) + speed[k] * bend;
                }
            }
            before = now;
            now = next;
        }
        return new double[][] {now, before};
    }

    /** Where the bodies are after steps of their mutual attraction, each pair taken once. */
    static double[] nBody(float[] bodies, float[] velocities, double dt, int steps) {
        int n = bodies.length / 4;
        double[] b = new double[4 * n];
        double[] v = new double[3 * n];
        for (int k = 0; k < b.length; k++) b[k] = bodies[k];
        for (int k = 0; k < v.length; k++) v[k] = velocities[k];
        for (int step = 0; step < steps; step++) {
            for (int i = 0; i < n; i++)
                for (int j = 0; j < i; j++) {
                    double square = 1e-3;
                    for (int c = 0; c < 3; c++) square += Math.pow(b[4 * i + c] - b[4 * j + c], 2);
                    double strength = dt * Math.pow(square, -1.5);
                    for (int c = 0; c < 3; c++) {
                        double way = b[4 * j + c] - b[4 * i + c];
                        v[3 * i + c] += strength * b[4 * j + 3] * way;
                        v[3 * j + c] -= strength * b[4 * i + 3] * way;
                    }
                }
            for (int i = 0; i < n; i++) for (int c = 0; c < 3; c++) b[4 * i + c] += dt * v[3 * i + c];
        }
        return b;
    }

    static int[] mandelbrot(int rows, int columns, double left, double top, double pixel, int most) {
        int[] rounds = new int[rows * columns];
        for (int k = 0; k < rounds.length; k++) {
            int i = k / columns, j = k % columns;
            double a = left + pixel * j, b = top - pixel * i, x = 0, y = 0;
            while (rounds[k] < most && x * x + y * y <= 4) {
                double next = x * x - y * y + a;
                y = 2 * x * y + b;
                x = next;
                rounds[k]++;
            }
        }
        return rounds;
    }

    static byte[] life(int rows, int columns, byte[] cells, int generations) {
        byte[] now = cells;
        for (int g = 0; g < generations; g++) {
            byte[] next = new byte[now.length];
            for (int k = 0; k < now.length; k++) {
                int neighbours = 0;
                for (int step = 0; step < 9; step++) {
                    int i = Math.floorMod(k / columns + step / 3 - 1, rows);
                    int j = Math.floorMod(k % columns + step % 3 - 1, columns);
                    if (step != 4) neighbours += now[i * columns + j];
                }
                next[k] = (byte) (neighbours == 3 || now[k] + neighbours == 3 ? 1 : 0);
            }
            now = next;
        }
        return now;
    }

    /** The picture by planes: a hit is the nearest crossing of a face's plane that lies within the face. */
    static double[] rayBox(int rows, int columns, float[] boxes) {
        double[] light = new double[rows * columns];
        for (int k = 0; k < light.length; k++) {
            int i = k / columns, j = k % columns;
            double u = (j - 0.5 * columns) / rows, v = (0.5 * rows - i) / rows;
            double[] way = unit(u, v - 0.3, 1);
            double[] eye = {0.5, 2.5, -6};
            double[] hit = nearest(eye, way, boxes);
            if (hit.length == 0) {
                light[k] = 0.85 + 0.3 * v;
                continue;
            }
            int axis = (int) hit[1];
            double[] lamp = unit(-0.5, 0.7, -0.4);
            double[] place = new double[3];
            for (int c = 0; c < 3; c++) place[c] = eye[c] + 0.9999 * hit[0] * way[c];
            boolean lit = nearest(place, lamp, boxes).length == 0;
            light[k] = 0.15 + (lit ? 0.8 * Math.max(0, -Math.signum(way[axis]) * lamp[axis]) : 0);
        }
        return light;
    }

    private static double[] unit(double x, double y, double z) {
        double size = Math.sqrt(x * x + y * y + z * z);
        return new double[] {x / size, y / size, z / size};
    }

    /** Distance and axis; nothing where there is no hit. Of a box only faces turned to the ray count, and none from within. */
    private static double[] nearest(double[] from, double[] way, float[] boxes) {
        double[] nearest = {};
        double least = Double.POSITIVE_INFINITY;
        if (way[1] < 0) {
            least = -from[1] / way[1];
            nearest = new double[] {least, 1};
        }
        for (int box = 0; box < boxes.length; box += 6)
            for (int axis = 0; axis < 3; axis++) {
                double plane = boxes[box + (way[axis] > 0 ? axis : axis + 3)];
                double t = (plane - from[axis]) / way[axis];
                if (t <= 0 || t >= least) continue;
                boolean within = true;
                for (int c = 0; c < 3; c++) {
                    double p = from[c] + t * way[c];
                    within &= c == axis || (p >= boxes[box + c] && p <= boxes[box + c + 3]);
                }
                if (!within) continue;
                least = t;
                nearest = new double[] {t, axis};
            }
        return nearest;
    }

    /** The gallery's rational function in decimal numbers of 40 digits. */
    static double[] rational(double re, double im) {
        BigDecimal[] z = {new BigDecimal(re), new BigDecimal(im)};
        BigDecimal two = BigDecimal.TWO, one = BigDecimal.ONE;
        BigDecimal[] square = times(z, z);
        BigDecimal[] shifted = {z[0].subtract(two), z[1].subtract(one)};
        BigDecimal[] above = times(new BigDecimal[] {square[0].subtract(one), square[1]}, times(shifted, shifted));
        BigDecimal[] below = {square[0].add(two), square[1].add(two)};
        BigDecimal size = below[0].multiply(below[0]).add(below[1].multiply(below[1]));
        BigDecimal[] product = times(above, new BigDecimal[] {below[0], below[1].negate()});
        MathContext digits = new MathContext(40);
        return new double[] {
            product[0].divide(size, digits).doubleValue(),
            product[1].divide(size, digits).doubleValue()
        };
    }

    private static BigDecimal[] times(BigDecimal[] a, BigDecimal[] b) {
        return new BigDecimal[] {
            a[0].multiply(b[0]).subtract(a[1].multiply(b[1])),
            a[0].multiply(b[1]).add(a[1].multiply(b[0]))
        };
    }

    static double[] bilateral(int rows, int columns, float[] in, int radius, double distance, double contrast) {
        double[] out = new double[in.length];
        for (int k = 0; k < out.length; k++) {
            double above = 0, below = 0;
            for (int m = 0; m < in.length; m++) {
                int di = m / columns - k / columns, dj = m % columns - k % columns;
                if (Math.abs(di) > radius || Math.abs(dj) > radius) continue;
                double near = Math.exp(-(di * di + dj * dj) / (2 * distance * distance));
                double alike = Math.exp(-Math.pow((double) in[m] - in[k], 2) / (2 * contrast * contrast));
                above += near * alike * in[m];
                below += near * alike;
            }
            out[k] = above / below;
        }
        return out;
    }
}

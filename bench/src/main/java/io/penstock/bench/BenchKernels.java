package io.penstock.bench;

import io.penstock.kernel.Floats;
import io.penstock.kernel.Ints;
import io.penstock.kernel.WorkItem;

/** The kernels of {@link KernelBench}, as a user would write them. */
final class BenchKernels {
    private BenchKernels() {}

    static void axpy(WorkItem at, Floats y, Floats x, float a) {
        y.set(at.x(), a * x.get(at.x()) + y.get(at.x()));
    }

    static void copy(WorkItem at, Floats y, Floats x) {
        y.set(at.x(), x.get(at.x()));
    }

    static void stencil3(WorkItem at, Floats y, Floats x) {
        long i = at.x();
        if (i > 0 && i < x.length() - 1) y.set(i, x.get(i - 1) - 2 * x.get(i) + x.get(i + 1));
    }

    static void stencil7(WorkItem at, Floats y, Floats x) {
        long k = at.z();
        long i = at.y();
        long j = at.x();
        if (k > 0 && i > 0 && j > 0 && k < x.planes() - 1 && i < x.rows() - 1 && j < x.columns() - 1)
            y.set(
                    k,
                    i,
                    j,
                    x.get(k - 1, i, j)
                            + x.get(k + 1, i, j)
                            + x.get(k, i - 1, j)
                            + x.get(k, i + 1, j)
                            + x.get(k, i, j - 1)
                            + x.get(k, i, j + 1)
                            - 6 * x.get(k, i, j));
    }

    static void map5(WorkItem at, Floats y, Floats a, Floats b, Floats c, Floats d, Floats e) {
        long i = at.x();
        y.set(i, a.get(i) * b.get(i) + c.get(i) * d.get(i) - Math.abs(e.get(i)));
    }

    static void mandelbrot(WorkItem at, Ints out, float scale, int most) {
        float cr = at.x() * scale - 2;
        float ci = at.y() * scale - 1;
        float re = 0;
        float im = 0;
        int n = 0;
        while (n < most && re * re + im * im < 4) {
            float next = re * re - im * im + cr;
            im = 2 * re * im + ci;
            re = next;
            n++;
        }
        out.set(at.y(), at.x(), n);
    }

    // The same as plain Java loops.

    static void axpyLoop(Floats y, Floats x, float a) {
        long n = y.length();
        for (long i = 0; i < n; i++) y.set(i, a * x.get(i) + y.get(i));
    }

    static void copyLoop(Floats y, Floats x) {
        long n = y.length();
        for (long i = 0; i < n; i++) y.set(i, x.get(i));
    }

    static float dotLoop(Floats x, Floats y) {
        float sum = 0;
        long n = x.length();
        for (long i = 0; i < n; i++) sum += x.get(i) * y.get(i);
        return sum;
    }

    static void stencil3Loop(Floats y, Floats x) {
        long n = y.length();
        for (long i = 1; i < n - 1; i++) y.set(i, x.get(i - 1) - 2 * x.get(i) + x.get(i + 1));
    }

    static void stencil7Loop(Floats y, Floats x) {
        long m = x.columns();
        for (long k = 1; k < m - 1; k++)
            for (long i = 1; i < m - 1; i++)
                for (long j = 1; j < m - 1; j++)
                    y.set(
                            k,
                            i,
                            j,
                            x.get(k - 1, i, j)
                                    + x.get(k + 1, i, j)
                                    + x.get(k, i - 1, j)
                                    + x.get(k, i + 1, j)
                                    + x.get(k, i, j - 1)
                                    + x.get(k, i, j + 1)
                                    - 6 * x.get(k, i, j));
    }

    static void map5Loop(Floats y, Floats a, Floats b, Floats c, Floats d, Floats e) {
        long n = y.length();
        for (long i = 0; i < n; i++) y.set(i, a.get(i) * b.get(i) + c.get(i) * d.get(i) - Math.abs(e.get(i)));
    }

    static void mandelbrotLoop(Ints out, float scale, int most) {
        for (long i = 0; i < out.rows(); i++)
            for (long j = 0; j < out.columns(); j++) {
                float cr = j * scale - 2;
                float ci = i * scale - 1;
                float re = 0;
                float im = 0;
                int n = 0;
                while (n < most && re * re + im * im < 4) {
                    float next = re * re - im * im + cr;
                    im = 2 * re * im + ci;
                    re = next;
                    n++;
                }
                out.set(i, j, n);
            }
    }
}

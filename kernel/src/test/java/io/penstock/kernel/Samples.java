package io.penstock.kernel;

import io.penstock.kernel.ir.ClassBytes;
import io.penstock.kernel.ir.FrontEnd;
import io.penstock.kernel.ir.KernelCode;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.Arrays;

/** Kernels of the kinds that users write, for the tests of the compiler. */
final class Samples {
    private Samples() {}

    static KernelCode code(String method) {
        return code(Samples.class, method);
    }

    static KernelCode code(Class<?> owner, String method) {
        Method found = Arrays.stream(owner.getDeclaredMethods())
                .filter(m -> m.getName().equals(method))
                .findFirst()
                .orElseThrow();
        return FrontEnd.translate(
                ClassBytes.visibleFrom(owner),
                owner.getName().replace('.', '/'),
                method,
                MethodType.methodType(found.getReturnType(), found.getParameterTypes())
                        .toMethodDescriptorString(),
                0);
    }

    static void copyColumn(WorkItem at, Floats a, Floats b, int column) {
        a.set(at.x(), column, b.get(at.x(), column));
    }

    static void axpy(WorkItem at, Floats y, Floats x, float a) {
        y.set(at.x(), a * x.get(at.x()) + y.get(at.x()));
    }

    static void laplacian(WorkItem at, Floats out, Floats in, float h) {
        long i = at.y();
        long j = at.x();
        if (i > 0 && j > 0 && i < in.rows() - 1 && j < in.columns() - 1)
            out.set(
                    i,
                    j,
                    (in.get(i - 1, j) + in.get(i + 1, j) + in.get(i, j - 1) + in.get(i, j + 1) - 4 * in.get(i, j))
                            / (h * h));
    }

    static void clampedStencil(WorkItem at, Doubles out, Doubles in) {
        long i = at.x();
        long left = Math.max(i - 1, 0);
        long right = Math.min(i + 1, in.length() - 1);
        out.set(i, 0.25 * in.get(left) + 0.5 * in.get(i) + 0.25 * in.get(right));
    }

    static void rowSums(WorkItem at, Doubles sums, Doubles matrix) {
        double sum = 0;
        for (int j = 0; j < matrix.columns(); j++) sum += matrix.get(at.x(), j);
        sums.set(at.x(), sum);
    }

    static void matrixVector(WorkItem at, Floats y, Floats a, Floats x) {
        float sum = 0;
        for (long j = 0; j < x.length(); j++) sum = Math.fma(a.get(at.x(), j), x.get(j), sum);
        y.set(at.x(), sum);
    }

    static void triangle(WorkItem at, Ints out, Ints in) {
        int sum = 0;
        for (long j = 0; j <= at.x(); j++) sum += in.get(j);
        out.set(at.x(), sum);
    }

    static void everyThird(WorkItem at, Ints out) {
        out.set(3 * at.x() + 1, (int) at.x());
    }

    static void strided(WorkItem at, Ints out, int n) {
        for (long k = at.x(); k < n; k += at.sizeX()) out.set(k, out.get(k) + 1);
    }

    static void flattened(WorkItem at, Floats out, Floats in) {
        long row = at.x() / in.columns();
        long column = at.x() % in.columns();
        out.set(column, row, in.get(row, column));
    }

    static void gather(WorkItem at, Floats out, Floats in, Ints index) {
        int k = index.get(at.x());
        if (k >= 0 && k < in.length()) out.set(at.x(), in.get(k));
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

    static void complexSquare(WorkItem at, ComplexDoubles z) {
        double re = z.getRe(at.x());
        double im = z.getIm(at.x());
        z.set(at.x(), re * re - im * im, 2 * re * im);
    }

    static void choose(WorkItem at, Longs out, int kind) {
        long i = at.x();
        long value = switch (kind) {
            case 0 -> i << 3;
            case 1 -> Math.floorMod(-i, 7L);
            case 5 -> (i >= 2 && i < 5) || i == 7 ? 1 : 0;
            default -> square(i) + Integer.rotateLeft((int) i, 5) + Math.min(6, Math.max(i, 2));
        };
        out.set(i, value);
    }

    private static long square(long i) {
        if (i > 3) return i * i;
        return -i * i;
    }

    static void casts(WorkItem at, Bytes small, Doubles in, boolean flip, char base) {
        double v = in.get(at.x());
        int a = (int) v;
        long b = (long) v;
        short c = (short) a;
        float f = (float) v;
        boolean odd = (a & 1) == 1;
        if (odd ^ flip) small.set(at.x(), (byte) (c + b));
        else small.set(at.x(), (byte) (f > v ? base : (char) a));
    }

    static void functions(WorkItem at, Doubles out, Doubles in) {
        double v = in.get(at.x());
        double w = Math.signum(v) * Math.sqrt(Math.abs(v)) + Math.sin(v) + StrictMath.exp(-v * v);
        out.set(at.x(), Double.isNaN(w) ? Math.min(v, -0.0) : Math.max(w, Math.floor(v)) + Math.round(v));
    }

    static void nested(WorkItem at, Longs out, int n) {
        long total = 0;
        outer:
        for (int i = 0; i < n; i++) {
            int j = 0;
            do {
                if (i * j > 40) break outer;
                if ((i + j) % 3 == 0) continue outer;
                total += (long) i * j - (total >>> 3);
            } while (++j < i);
            total = Long.compare(total, 10) < 0 ? total + 7 : -total;
        }
        out.set(at.x(), total);
    }
}

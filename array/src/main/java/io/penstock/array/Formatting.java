package io.penstock.array;

import java.util.Locale;

/** Arrays as text in NumPy's manner, long ones shortened. */
final class Formatting {
    /** More elements than this are not all written. */
    private static final long THRESHOLD = 1000;
    /** How many are written at each end of a shortened axis. */
    private static final long EDGE = 3;
    /** How many characters a line holds before a row goes on in the next. */
    private static final int LINE = 75;

    private final NDArray array;
    private final boolean shortened;
    private final StringBuilder text = new StringBuilder();
    private int width;

    private Formatting(NDArray array) {
        this.array = array;
        this.shortened = array.size() > THRESHOLD;
    }

    static String format(NDArray array) {
        if (array.size() > THRESHOLD) return text(array); // few elements, fetched one by one where they lie elsewhere
        NDArray here = array.readable();
        try {
            return text(here);
        } finally {
            array.doneWith(here);
        }
    }

    private static String text(NDArray array) {
        Formatting formatting = new Formatting(array);
        formatting.walk(array, formatting::measure);
        formatting.write(array, 1);
        return formatting.text + " " + array.dtype() + Shapes.describe(array.shape());
    }

    private interface Visitor {
        void visit(String element);
    }

    private void measure(String element) {
        width = Math.max(width, element.length());
    }

    private void walk(NDArray part, Visitor visitor) {
        if (part.ndim() == 0) visitor.visit(element(part));
        else forEach(part.dim(0), i -> walk(part.at(0, i), visitor), () -> {});
    }

    private interface IndexVisitor {
        void visit(long index);
    }

    private void forEach(long n, IndexVisitor visitor, Runnable gap) {
        boolean skip = shortened && n > 2 * EDGE;
        for (long i = 0; i < n; i++) {
            if (skip && i == EDGE) {
                gap.run();
                i = n - EDGE;
            }
            visitor.visit(i);
        }
    }

    private void write(NDArray part, int depth) {
        if (part.ndim() == 0) {
            String element = element(part);
            text.repeat(' ', Math.max(0, width - element.length())).append(element);
            return;
        }
        String separator = "," + "\n".repeat(part.ndim() - 1) + " ".repeat(depth);
        text.append('[');
        forEach(
                part.dim(0),
                i -> {
                    if (i > 0) separate(part, separator, width, depth);
                    write(part.at(0, i), depth + 1);
                },
                () -> {
                    separate(part, separator, 3, depth);
                    text.append("...");
                });
        text.append(']');
    }

    /** Puts what stands between two parts; next comes something of {@code length} characters and a comma or bracket. */
    private void separate(NDArray part, String separator, int length, int depth) {
        if (part.ndim() > 1) {
            text.append(separator);
            return;
        }
        int column = text.length() - (text.lastIndexOf("\n") + 1);
        boolean fits = column + 2 + length + 1 <= LINE;
        text.append(fits ? ", " : ",\n" + " ".repeat(depth));
    }

    private String element(NDArray part) {
        if (array.dtype().isInteger()) return Long.toString(part.getWhole());
        Complex value = part.getComplex();
        if (!array.dtype().isComplex()) return real(value.re());
        String im = real(value.im());
        return real(value.re()) + (im.startsWith("-") ? "" : "+") + im + "j";
    }

    /** Eight significant digits, or as few as tell a number of the array's type apart. */
    private String real(double value) {
        if (Double.isNaN(value)) return "nan";
        if (Double.isInfinite(value)) return value > 0 ? "inf" : "-inf";
        String exact = array.dtype().real() == DType.F32 ? Float.toString((float) value) : Double.toString(value);
        if (exact.length() <= 10) return exact.endsWith(".0") ? exact.substring(0, exact.length() - 1) : exact;
        double size = Math.abs(value);
        return size >= 1e-4 && size < 1e8
                ? strip(String.format(Locale.ROOT, "%.8f", value))
                : String.format(Locale.ROOT, "%.8e", value);
    }

    private static String strip(String decimal) {
        int end = decimal.length();
        while (decimal.charAt(end - 1) == '0') end--;
        return decimal.substring(0, end);
    }
}

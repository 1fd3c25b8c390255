package io.penstock.array;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Whether two arrays agree within a tolerance, element by element.
 *
 * <p>Differences are taken as numbers and not in the arrays' type, where those of whole numbers would wrap. An infinite element is
 * close to its equal only, whatever the tolerance, which the infinite element itself would make infinite.
 */
final class Closeness {
    private Closeness() {}

    /** Whether {@code |x - y| <= atol + rtol * |y|} everywhere in two arrays of one shape. */
    static boolean everywhere(NDArray given, NDArray other, double rtol, double atol) {
        NDArray x = given.readable();
        NDArray y = other.readable();
        try {
            return Queued.read(() -> onHost(x, y, rtol, atol), x, y);
        } finally {
            given.doneWith(x);
            other.doneWith(y);
        }
    }

    private static boolean onHost(NDArray x, NDArray y, double rtol, double atol) {
        AtomicBoolean close = new AtomicBoolean(true);
        boolean whole = x.dtype().isInteger() && y.dtype().isInteger();
        Runs.of(x, y).parallel((at, step, n) -> {
            for (long i = 0; i < n && close.get(); i++) {
                long p = at[0] + i * step[0];
                long q = at[1] + i * step[1];
                boolean here = whole
                        ? close(Elements.whole(x.dtype(), p), Elements.whole(y.dtype(), q), rtol, atol)
                        : close(Elements.complex(x.dtype(), p), Elements.complex(y.dtype(), q), rtol, atol);
                if (!here) close.set(false);
            }
        });
        Alive.until(x, y);
        return close.get();
    }

    private static boolean close(long x, long y, double rtol, double atol) {
        if (x == y) return true;
        long difference = x - y;
        boolean wraps = ((x ^ y) & (x ^ difference)) < 0;
        double distance = Math.abs(wraps ? (double) x - (double) y : (double) difference);
        return distance <= atol + rtol * Math.abs((double) y);
    }

    private static boolean close(Complex x, Complex y, double rtol, double atol) {
        if (x.re() == y.re() && x.im() == y.im()) return true;
        double difference = x.minus(y).abs();
        return difference < Double.POSITIVE_INFINITY && difference <= atol + rtol * y.abs();
    }
}

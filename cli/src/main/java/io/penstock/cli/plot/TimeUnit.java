package io.penstock.cli.plot;

/**
 * The unit that suits a stretch of time.
 *
 * @param symbol its sign
 * @param factor how many of it are a second
 */
record TimeUnit(String symbol, double factor) {
    /** The largest of which the stretch, given in seconds, has two or more. */
    static TimeUnit of(double seconds) {
        if (seconds >= 2) return new TimeUnit("s", 1);
        if (seconds >= 2e-3) return new TimeUnit("ms", 1e3);
        return new TimeUnit("\u00b5s", 1e6);
    }
}

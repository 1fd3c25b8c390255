package io.penstock.kernel;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A contest between a kernel's compiled code and the kernel as it is, on items that launches run anyway.
 *
 * <p>Until the JVM has compiled it in turn, code in vectors is a hundred times slower than the kernel as it is, and seldom it
 * stays slower for good. So launches go on as before and do a small part in the new code, next to a part of the same size in
 * the old one, until the new code has been the faster one in most comparisons of a round, or has had its chance. Launches too
 * short for two parts are compared whole.
 */
final class Trial {
    private static final System.Logger LOG = System.getLogger("io.penstock.kernel");
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** What compiled code may take before it has won, and how many parts it must have had: the JVM compiles what runs often. */
    private static final long CHANCE_NANOS = 1_500_000_000;

    private static final int CHANCES = 3000;

    /** How long a part in the new code should take, and the fewest items of one. */
    private static final long PART_NANOS = 100_000;

    private static final long FEWEST = 256;

    /** Of launches shorter than that, which take less time than to take the time, one in so many is looked at. */
    private static final int SAMPLE = 64;

    /** How many times as long as in the new code launches go on as before. */
    private static final int SHARE = 3;

    /** How often the two are compared before that decides. */
    private static final int ROUNDS = 9;

    /** What the new code may take of the old one's time, in the median, to win. */
    private static final double ENOUGH = 0.95;

    /** What it may take of what items took before there was a trial: parts may run slower than whole launches. */
    private static final double USUAL = 1.5;

    /** How many launches in a row may be slower than before until the two are compared again. */
    private static final int MOST_DISAPPOINTMENTS = 20;

    private final String kernel;
    private final double usualNanosPerItem;
    private final AtomicBoolean busy = new AtomicBoolean();
    private volatile boolean won;
    private volatile boolean lost;

    /** Racing updates lose one another, which does no harm. */
    private int shortOnes;

    // Of the comparisons; only who has set 'busy' looks at them.
    private final double[] ratios = new double[ROUNDS];
    private final double[] compiled = new double[ROUNDS];
    private final double[] plain = new double[ROUNDS];
    private int rounds;
    private long part = FEWEST;
    private long triedNanos;
    private int tried;
    /** What an item took compiled in a launch that the next one is to be compared with; 0 if there was none. */
    private double pending;

    /** How long launches go on as before until the next comparison. */
    private final AtomicLong debt = new AtomicLong();

    /** Racing updates lose one another, which does no harm. */
    private int disappointments;

    private volatile double plainNanosPerItem;

    /** A trial of a kernel of which is known how long its items have taken up to now. */
    Trial(String kernel, double usualNanosPerItem) {
        this.kernel = kernel;
        this.usualNanosPerItem = Math.max(usualNanosPerItem, 1e-3);
    }

    /** Whether the compiled code is to be used. */
    boolean isWon() {
        return won;
    }

    /** Runs some items of a launch, of which some for comparison. */
    void run(JvmLaunch launch, long from, long to) {
        long at = from;
        boolean looks = to - from >= FEWEST || shortOnes++ % SAMPLE == 0;
        while (at < to && looks && !won && !lost) {
            if (debt.get() > 0 || !busy.compareAndSet(false, true)) {
                at = pay(launch, at, to);
                continue;
            }
            try {
                at = to - at >= 2 * size(launch) ? parts(launch, at, to) : whole(launch, at, to);
            } finally {
                busy.set(false);
            }
        }
        if (at == to) return;
        if (won) launch.compiled(at, to);
        else launch.plain(at, to);
    }

    /** Goes on as before for as long as is owed; gives where that ends. */
    private long pay(JvmLaunch launch, long from, long to) {
        double owed = Math.max(debt.get(), PART_NANOS);
        long items = (long) Math.min((double) to - from, Math.max(FEWEST, owed / usualNanosPerItem));
        debt.addAndGet(-time(launch, false, from, from + items));
        return from + items;
    }

    /** The time that the calling thread has had, so that others on the machine do not count. */
    private static long now() {
        return THREADS.isCurrentThreadCpuTimeSupported() ? THREADS.getCurrentThreadCpuTime() : System.nanoTime();
    }

    private static long time(JvmLaunch launch, boolean compiled, long from, long to) {
        long start = now();
        if (compiled) launch.compiled(from, to);
        else launch.plain(from, to);
        return Math.max(1, now() - start);
    }

    private long size(JvmLaunch launch) {
        return TieredCode.wholeRows(part, launch.range().x());
    }

    /** Compares neighbours within a launch, since items may differ in what they cost. */
    private long parts(JvmLaunch launch, long from, long to) {
        long size = size(launch);
        ThreadLocalRandom random = ThreadLocalRandom.current();
        long row = size % launch.range().x() == 0 ? launch.range().x() : 1;
        long begin = from + random.nextLong(Math.min(to - from - 2 * size, 4 * size) / row + 1) * row;
        boolean first = random.nextBoolean();
        if (begin > from) launch.plain(from, begin);
        long one = time(launch, first, begin, begin + size);
        long two = time(launch, !first, begin + size, begin + 2 * size);
        long nanos = first ? one : two;
        compare(nanos / (double) size, (first ? two : one) / (double) size, nanos);
        if (nanos < PART_NANOS / 2) part = 2 * part;
        else if (nanos > 2 * PART_NANOS) part = Math.max(FEWEST, part / 2);
        return begin + 2 * size;
    }

    /** Compares this launch with the one before, of which one is compiled. */
    private long whole(JvmLaunch launch, long from, long to) {
        boolean compiles = pending == 0;
        long nanos = time(launch, compiles, from, to);
        double perItem = nanos / (double) (to - from);
        if (compiles) {
            pending = perItem;
            if (nanos > 2 * PART_NANOS) part = Math.max(FEWEST, part / 2);
        } else {
            compare(pending, perItem, (long) (pending * (double) (to - from)));
            pending = 0;
        }
        return to;
    }

    private void compare(double compiledPerItem, double plainPerItem, long nanos) {
        triedNanos += nanos;
        tried++;
        debt.set(SHARE * nanos);
        compiled[rounds] = compiledPerItem;
        plain[rounds] = plainPerItem;
        ratios[rounds++] = compiledPerItem / Math.max(plainPerItem, 1e-3);
        if (rounds < ROUNDS) return;
        rounds = 0;
        double ratio = median(ratios);
        plainNanosPerItem = Math.min(usualNanosPerItem, median(plain));
        if (ratio < ENOUGH && median(compiled) < USUAL * usualNanosPerItem) {
            won = true;
        } else if (triedNanos > CHANCE_NANOS && tried > CHANCES) {
            lost = true;
            LOG.log(
                    System.Logger.Level.DEBUG,
                    "kernel {0} goes on as plain Java: compiled it took {1} times as long",
                    kernel,
                    ratio);
        }
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    /** Goes back to comparing when what has won turns out slower, as after the JVM has compiled it anew and badly. */
    void watch(long items, long nanos) {
        if (items < FEWEST || nanos < USUAL * plainNanosPerItem * items) {
            disappointments = 0;
        } else if (++disappointments > MOST_DISAPPOINTMENTS) {
            disappointments = 0;
            won = false;
        }
    }
}

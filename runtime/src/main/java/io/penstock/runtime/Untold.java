package io.penstock.runtime;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Tells on standard error, when the program ends, of work that has failed and that nobody has waited for. */
final class Untold {
    private static final Set<Line> LINES = Collections.newSetFromMap(new WeakHashMap<>());
    private static final long PATIENCE_MILLIS = 1_000;
    private static final long PATIENCE_NANOS = 50_000_000;
    private static final long PAUSE_NANOS = 100_000;

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(Untold::tell, "penstock-untold"));
    }

    private Untold() {}

    /** Keeps an eye on a line for as long as somebody can submit to it. */
    static void watch(Line line) {
        synchronized (LINES) {
            LINES.add(line);
        }
    }

    private static List<Line> lines() {
        synchronized (LINES) {
            return new ArrayList<>(LINES);
        }
    }

    /** By a thread of its own, since a driver that answers no more must not keep the program from its end. */
    private static void tell() {
        Thread teller = Thread.ofPlatform()
                .daemon()
                .start(() -> lines().forEach(line -> {
                    String message = of(line);
                    // Loggers may have been closed by now.
                    if (message != null) System.err.println(message);
                }));
        try {
            teller.join(PATIENCE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What is to be told of a line; null when nothing is. */
    static @Nullable String of(Line line) {
        long last = line.submitted();
        // Of work that is over a device may take a moment to say so.
        for (long end = System.nanoTime() + PATIENCE_NANOS; !line.hasEnded(last) && System.nanoTime() < end; )
            LockSupport.parkNanos(PAUSE_NANOS);
        Throwable failure = line.told(last);
        return failure == null
                ? null
                : "penstock: work on " + line.name() + " has failed and nobody has waited for it: " + failure;
    }
}

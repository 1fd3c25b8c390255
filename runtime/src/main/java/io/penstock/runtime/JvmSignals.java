package io.penstock.runtime;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.penstock.foreign.Libc;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.TreeMap;

/**
 * The handlers of the signals that the JVM lives by, as they were before a native library was loaded: null checks, stack
 * overflows and integer divisions by zero all arrive as signals, and a library that takes one kills the JVM or makes it
 * compute wrongly. On Linux only; elsewhere nothing is recorded and nothing found.
 */
public final class JvmSignals {
    private static final Map<Integer, String> VITAL = Map.of(4, "SIGILL", 7, "SIGBUS", 8, "SIGFPE", 11, "SIGSEGV");
    /** What a process can handle beside those: requests to end, to tell, and what a compiler within a driver takes as a crash. */
    private static final Map<Integer, String> OTHERS = Map.ofEntries(
            Map.entry(1, "SIGHUP"),
            Map.entry(2, "SIGINT"),
            Map.entry(3, "SIGQUIT"),
            Map.entry(5, "SIGTRAP"),
            Map.entry(6, "SIGABRT"),
            Map.entry(10, "SIGUSR1"),
            Map.entry(12, "SIGUSR2"),
            Map.entry(13, "SIGPIPE"),
            Map.entry(15, "SIGTERM"),
            Map.entry(24, "SIGXCPU"),
            Map.entry(25, "SIGXFSZ"),
            Map.entry(31, "SIGSYS"));
    /** The size of a struct sigaction of glibc and of musl on 64-bit systems, rounded up; the handler comes first. */
    private static final long BYTES = 192;

    private final Map<Integer, MemorySegment> handlers = new TreeMap<>();

    private JvmSignals() {}

    /** Records the handlers of the signals that the JVM cannot do without, as they are now. */
    public static JvmSignals record() {
        return new JvmSignals().with(VITAL);
    }

    /** Records those and the handlers of the signals by which a process is ended, stopped or asked, as they are now. */
    public static JvmSignals recordAll() {
        return record().with(OTHERS);
    }

    private JvmSignals with(Map<Integer, String> signals) {
        if (Libc.isLinux()) for (int signal : signals.keySet()) handlers.put(signal, present(signal));
        return this;
    }

    private static String name(int signal) {
        String vital = VITAL.get(signal);
        return vital != null ? vital : OTHERS.getOrDefault(signal, "signal " + signal);
    }

    private static MemorySegment present(int signal) {
        MemorySegment action = Arena.ofAuto().allocate(BYTES, 16);
        if (Libc.sigaction(signal, 0, action.address()) != 0)
            throw new IllegalStateException("the handler of " + name(signal) + " cannot be read");
        return action;
    }

    /**
     * Gives the JVM back what a library took.
     *
     * @param library what was loaded, for the message
     * @return the names of the signals that it had taken, empty when none
     * @throws IllegalStateException when a handler cannot be restored
     */
    public String restore(String library) {
        StringBuilder taken = new StringBuilder();
        handlers.forEach((signal, before) -> {
            if (present(signal).get(JAVA_LONG, 0) == before.get(JAVA_LONG, 0)) return;
            if (Libc.sigaction(signal, before.address(), 0) != 0
                    || present(signal).get(JAVA_LONG, 0) != before.get(JAVA_LONG, 0))
                throw new IllegalStateException(library + " took " + name(signal)
                        + " from the JVM, which cannot run without it, and it cannot be restored");
            taken.append(taken.isEmpty() ? "" : ", ").append(name(signal));
        });
        return taken.toString();
    }
}

package io.penstock.runtime;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/**
 * A file of what runs where while it is open: every piece of work with its queue, its time on the device and the bytes it touches; what
 * waits, how long and for whom; what the host does and where it waits. The format is the JSON of Chrome's tracing, which Perfetto
 * (ui.perfetto.dev) and {@code penstock timeline} show.
 *
 * <p>While a trace is open all work passes the ledger, and devices take two times for each piece. One trace can be open at a time.
 */
public final class Trace implements AutoCloseable {
    private final TraceFile file;

    private Trace(TraceFile file) {
        this.file = file;
    }

    /**
     * Begins to trace.
     *
     * @param path the file, which is overwritten
     * @throws IllegalStateException when another trace is open
     * @throws UncheckedIOException when the file cannot be written
     */
    public static Trace to(Path path) {
        synchronized (Trace.class) {
            if (Tracing.file() != null)
                throw new IllegalStateException("a trace is open already; close it before another one is begun");
            try {
                TraceFile file = TraceFile.create(path);
                Ledger.need();
                Tracing.writeTo(file);
                return new Trace(file);
            } catch (IOException e) {
                throw new UncheckedIOException("cannot write the trace " + path, e);
            }
        }
    }

    /**
     * Ends the trace, once the work that was submitted before is over. Closing again does nothing.
     *
     * @throws UncheckedIOException when the file could not be written
     */
    @Override
    public void close() {
        synchronized (Trace.class) {
            if (Tracing.file() != file) return;
            DriverSpans.finish();
            Tracing.writeTo(null);
            try {
                file.close();
            } catch (IOException e) {
                throw new UncheckedIOException("the trace could not be written", e);
            }
        }
    }
}

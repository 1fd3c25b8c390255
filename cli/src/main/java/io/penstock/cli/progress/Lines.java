package io.penstock.cli.progress;

import java.io.PrintStream;

/** A line about every tenth of the job. */
final class Lines implements Progress {
    private final String task;
    private final long steps;
    private final PrintStream out;
    private final long start = System.nanoTime();
    private long last;
    private String note = "";
    private long said = -1;

    Lines(String task, long steps, PrintStream out) {
        this.task = task;
        this.steps = steps;
        this.out = out;
    }

    @Override
    public void step(long step, String text) {
        last = step;
        note = text;
        boolean due = said < 0 || step >= steps || 10 * step / Math.max(steps, 1) > 10 * said / Math.max(steps, 1);
        if (due) say();
    }

    @Override
    public void close() {
        if (last != said && last > 0) say();
    }

    private void say() {
        said = last;
        double seconds = (System.nanoTime() - start) * 1e-9;
        out.println(String.format("%s: %d of %d, %.1f s, %s", task, last, steps, seconds, note));
    }
}

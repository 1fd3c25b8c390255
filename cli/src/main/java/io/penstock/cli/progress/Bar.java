package io.penstock.cli.progress;

import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** A bar on the terminal behind standard error. */
final class Bar implements Progress {
    private static final int WIDTH = 100;

    private final ProgressBar bar;

    Bar(String task, long steps) {
        bar = new ProgressBarBuilder()
                .setTaskName(task)
                .setInitialMax(steps)
                .setUpdateIntervalMillis(100)
                .setStyle(ProgressBarStyle.UNICODE_BLOCK)
                .setConsumer(new ConsoleProgressBarConsumer(System.err, WIDTH))
                .build();
    }

    @Override
    public void step(long step, String note) {
        bar.setExtraMessage(" " + note);
        bar.stepTo(step);
    }

    @Override
    public void close() {
        bar.close();
    }
}

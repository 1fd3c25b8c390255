package io.penstock.bench;

import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import picocli.CommandLine.Command;

/** Runs {@link OverheadBenchmark} under JMH. */
@Command(
        name = "overhead",
        description = "What the smallest operations cost, in nanoseconds, by JMH.",
        mixinStandardHelpOptions = true)
final class OverheadBench implements Runnable {
    @Override
    public void run() {
        try {
            new Runner(new OptionsBuilder()
                            .include(OverheadBenchmark.class.getSimpleName())
                            .build())
                    .run();
        } catch (RunnerException e) {
            throw new IllegalStateException("the benchmark could not be run: " + e.getMessage(), e);
        }
    }
}

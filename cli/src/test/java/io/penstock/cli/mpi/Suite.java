package io.penstock.cli.mpi;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.launcher.TagFilter.excludeTags;

import java.util.Arrays;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs test classes, named by the arguments, as one rank of a job: every rank runs the same tests in the same order, but for
 * those tagged {@code threads}, which look at all ranks from outside.
 */
final class Suite {
    private Suite() {}

    /** Ends the process, and with it the job, at the first failure. */
    public static void main(String[] classes) {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(Arrays.stream(classes).map(name -> selectClass(name)).toList())
                .filters(excludeTags("threads"))
                .build();
        Counter counter = new Counter();
        Launcher launcher = LauncherFactory.create();
        launcher.execute(request, counter);
        System.out.println("PASSED " + counter.passed + " tests");
    }

    private static final class Counter implements TestExecutionListener {
        private int passed;

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            if (result.getStatus() == TestExecutionResult.Status.FAILED) {
                System.err.println("FAILED " + test.getLegacyReportingName() + " " + test.getDisplayName());
                result.getThrowable().ifPresent(Throwable::printStackTrace);
                System.exit(1);
            }
            if (test.isTest() && result.getStatus() == TestExecutionResult.Status.SUCCESSFUL) passed++;
        }
    }
}

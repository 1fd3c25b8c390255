package io.penstock.comm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.testing.MpiLauncher;
import io.penstock.testing.MpiLauncher.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Real jobs of several processes, with each MPI that is installed: the programs that threads run, and ranks that fail. */
@ParameterizedClass(allowZeroInvocations = true)
@MethodSource("launchers")
class MpiJobTest {
    private static final String MARK = "penstock.test.job";

    private final MpiLauncher launcher;
    private final String mark = UUID.randomUUID().toString();

    MpiJobTest(MpiLauncher launcher) {
        this.launcher = launcher;
    }

    static List<MpiLauncher> launchers() {
        return MpiLauncher.installed();
    }

    @BeforeAll
    static void isInstalled() {
        assumeTrue(!launchers().isEmpty(), "no MPI is installed; ./penstock test as root installs Debian's");
    }

    private Outcome job(int ranks, List<String> flags, String... args) {
        return job(ranks, Map.of(), flags, args);
    }

    private Outcome job(int ranks, Map<String, String> environment, List<String> flags, String... args) {
        List<String> java = new ArrayList<>(flags);
        java.add("-D" + MARK + "=" + mark);
        java.add(MpiChecks.class.getName());
        java.addAll(List.of(args));
        return launcher.run(ranks, environment, java);
    }

    private static void passed(Outcome outcome, String check, int ranks) {
        assertThat(outcome.output()).contains("PASSED " + check + " on MPI group of " + ranks + " ranks");
        assertThat(outcome.status()).as(outcome.output()).isZero();
    }

    /** A rank that failed ends the job soon, and says why. */
    private Outcome failed(int ranks, List<String> flags, String... args) {
        Outcome outcome = job(ranks, flags, args);
        assertThat(outcome.status()).as(outcome.output()).isNotZero();
        assertThat(outcome.output()).doesNotContain("PASSED");
        return outcome;
    }

    @AfterEach
    void noProcessIsLeft() throws InterruptedException {
        for (int look = 0; look < 50 && left() > 0; look++) Thread.sleep(100);
        assertThat(left()).as("processes of the job").isZero();
    }

    private long left() {
        return ProcessHandle.allProcesses()
                .filter(process -> process.info().commandLine().orElse("").contains(mark))
                .count();
    }

    @Test
    void fourRanksRunAllPrograms() {
        passed(job(4, List.of(), "all", "4"), "all", 4);
    }

    @Test
    void threeRanksRunAllPrograms() {
        passed(job(3, List.of("-Dpenstock.comm.deadline=4"), "all", "4"), "all", 3);
    }

    @Test
    void twoRanksCompareTheirCallsAndSplitTheirMessages() {
        passed(job(2, List.of("-Dpenstock.mpi.most=5", "-Dpenstock.check=collectives"), "all", "4"), "all", 2);
    }

    /** As if an int held no more than 3: what is larger goes by the functions with large counts. */
    @Test
    void threeRanksSendMoreThanAnIntCounts() {
        assumeTrue(!launcher.name().equals("Open MPI"), "Open MPI 4 has no such functions; its messages are split");
        passed(job(3, List.of("-Dpenstock.mpi.int=3"), "all", "4"), "all", 3);
    }

    @Test
    void oneRankIsAJobToo() {
        passed(job(1, Map.of(MpiLibrary.VARIABLE, launcher.library()), List.of(), "all", "4"), "all", 1);
    }

    @Test
    void sevenRanksRunAllPrograms() {
        passed(job(7, List.of(), "all", "1"), "all", 7);
    }

    @Test
    void aCallOfOneRankDoesNotMeetTheEndOfTheOthers() {
        String output =
                failed(3, List.of("-Dpenstock.comm.deadline=1"), "alone").output();
        assertThat(output).contains("rank 1 has ended");
        assertThat(waited(output, "call 1 allReduce(SUM, 2 x F64), which is the deadline"))
                .isGreaterThanOrEqualTo(1);
    }

    @Test
    void anExceptionEndsAllRanksAndSaysWhere() {
        Outcome outcome = failed(2, List.of(), "throw");
        assertThat(outcome.output()).contains("rank 1 failed: java.lang.IllegalStateException: boom");
    }

    /** Of ranks that fail alike one prints where, the others a line each. */
    @Test
    void theSameExceptionIsShownOnce() {
        Outcome outcome = failed(3, List.of(), "alike");
        List<String> lines = outcome.output().lines().toList();
        assertThat(lines)
                .as(outcome.output())
                .filteredOn(line -> line.contains("Caused by: java.lang.IllegalArgumentException: rows is -1"))
                .hasSize(1);
        assertThat(lines)
                .filteredOn(line -> line.contains("another rank failed alike, and says where"))
                .hasSizeLessThanOrEqualTo(2)
                .allMatch(line -> line.contains("failed: java.lang.IllegalArgumentException: rows is -1"));
    }

    @Test
    void aProgramThatGoesOnAfterItsRankFailedIsEnded() {
        Outcome outcome = failed(2, List.of(), "swallow");
        assertThat(outcome.output()).contains("rank 1 failed: java.lang.IllegalStateException: boom");
    }

    @Test
    void aRankThatExitsWithinItsProgramEndsAll() {
        failed(2, List.of(), "exit");
    }

    @Test
    void aRankThatDiesEndsAll() {
        failed(2, List.of(), "kill");
    }

    @Test
    void aRankThatNeverComesIsGivenUpAtTheDeadline() {
        Outcome outcome = failed(2, List.of("-Dpenstock.comm.deadline=1"), "hang");
        assertThat(waited(outcome.output(), "call 2 allReduce of a double[](SUM, 3 values), which is the deadline"))
                .isGreaterThanOrEqualTo(1);
    }

    /** How long rank 0 says that it has waited in a call, in seconds. */
    private static double waited(String output, String call) {
        Matcher matcher = Pattern.compile("rank 0 waited (\\d+\\.\\d) s in " + Pattern.quote(call))
                .matcher(output);
        assertThat(matcher.find()).as(output).isTrue();
        return Double.parseDouble(matcher.group(1));
    }

    @Test
    void aMessageThatDoesNotFitIsToldInTheWordsOfMpi() {
        Outcome outcome = failed(2, List.of(), "truncate");
        assertThat(outcome.output()).containsIgnoringCase("message truncated").contains("receive(2 x F64 from rank 0");
    }

    @Test
    void ranksThatCompareTheirCallsAreToldWhoCalledWhat() {
        Outcome outcome = failed(2, List.of("-Dpenstock.check=collectives"), "disagree");
        assertThat(outcome.output())
                .contains("disagree about the number of elements of collective 1 of the MPI group of 2 ranks")
                .contains("rank 0: allReduce(SUM, 4 x F64)")
                .contains("rank 1: allReduce(SUM, 5 x F64)");
    }

    @Test
    void askingForAnotherNumberOfRanksIsAnError() {
        Outcome outcome = failed(2, List.of(), "programs", "1", "--ranks", "3");
        assertThat(outcome.output()).contains("ranks is 3").contains("started 2");
    }

    @Test
    void aLibraryOfAnotherLauncherIsAnError() {
        for (MpiLauncher other : launchers()) {
            if (other.equals(launcher)) continue;
            Outcome outcome = job(2, Map.of(MpiLibrary.VARIABLE, other.library()), List.of(), "programs", "1");
            assertThat(outcome.output())
                    .contains("started 2 ranks, but " + other.name())
                    .contains("library and launcher do not belong together");
            assertThat(outcome.status()).isNotZero();
        }
    }
}

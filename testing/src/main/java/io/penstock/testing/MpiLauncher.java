package io.penstock.testing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A launcher of MPI jobs that is installed here: tests run Java programs as real jobs with it.
 *
 * @param name the implementation, such as {@code Open MPI}
 * @param command the program and its flags up to the number of ranks
 * @param before what starts each process: a program and its arguments, or nothing
 * @param library the file name of the library that goes with it
 */
public record MpiLauncher(String name, List<String> command, List<String> before, String library) {
    /** The longest that a job may take, in seconds. */
    private static final long LIMIT = 120;

    /**
     * What a job did.
     *
     * @param status the launcher's exit status
     * @param output all that the launcher and the ranks wrote
     * @param seconds how long it took
     */
    public record Outcome(int status, String output, double seconds) {}

    /** Debian's Open MPI and MPICH, as far as they are installed. */
    public static List<MpiLauncher> installed() {
        return Stream.of(
                        new MpiLauncher(
                                "Open MPI",
                                List.of("/usr/bin/mpirun.openmpi", "--oversubscribe", "-n"),
                                List.of(),
                                "libmpi.so.40"),
                        new MpiLauncher("MPICH", List.of("/usr/bin/mpirun.mpich", "-n"), List.of(), "libmpich.so.12"))
                .filter(launcher -> Files.isExecutable(Path.of(launcher.command.getFirst())))
                .toList();
    }

    /**
     * Runs the class path of this test as a job and waits for it.
     *
     * @param ranks how many processes
     * @param environment more environment variables
     * @param java flags for Java, the main class and its arguments
     * @throws IllegalStateException when the job does not end within two minutes; its processes are ended
     */
    public Outcome run(int ranks, Map<String, String> environment, List<String> java) {
        List<String> words = new ArrayList<>(command);
        words.add(String.valueOf(ranks));
        words.addAll(before);
        words.addAll(javaCommand());
        words.addAll(java);
        return run(words, environment);
    }

    /** Runs the class path of this test as a process of its own, without a launcher. */
    public static Outcome alone(Map<String, String> environment, List<String> java) {
        List<String> words = new ArrayList<>(javaCommand());
        words.addAll(java);
        return run(words, environment);
    }

    /** Java as jobs of small programs start fastest: with one compiler and one collector thread. */
    private static List<String> javaCommand() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xshare:auto",
                "-Xmx512m",
                "--add-modules=jdk.incubator.vector",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classPath());
    }

    /** The class path of this test. */
    public static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    /** Runs a command as a job's environment wants it and waits for it. */
    public static Outcome run(List<String> words, Map<String, String> environment) {
        Path output = null;
        try {
            output = Files.createTempFile("penstock-job", ".txt");
            ProcessBuilder builder =
                    new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(output.toFile());
            builder.environment().put("OMPI_ALLOW_RUN_AS_ROOT", "1");
            builder.environment().put("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
            builder.environment().putAll(environment);
            long start = System.nanoTime();
            Process process = builder.start();
            process.getOutputStream().close();
            boolean ended = process.waitFor(LIMIT, TimeUnit.SECONDS);
            double seconds = (System.nanoTime() - start) * 1e-9;
            if (!ended) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly().waitFor();
            }
            String text = Files.readString(output, StandardCharsets.UTF_8);
            if (!ended)
                throw new IllegalStateException("the job did not end in " + LIMIT + " s: " + words + "\n" + text);
            return new Outcome(process.exitValue(), text, seconds);
        } catch (IOException e) {
            throw new IllegalStateException("the job cannot be run: " + words, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a job ran", e);
        } finally {
            if (output != null) output.toFile().delete();
        }
    }

    @Override
    public String toString() {
        return name;
    }
}

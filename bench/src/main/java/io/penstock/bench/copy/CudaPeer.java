package io.penstock.bench.copy;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;

/** What the twin of this benchmark in CUDA C++, {@code peer.cu}, has measured just before. */
final class CudaPeer {
    private final Map<String, Double> medians;

    private CudaPeer(Map<String, Double> medians) {
        this.medians = medians;
    }

    static CudaPeer none() {
        return new CudaPeer(Map.of());
    }

    /** Compiles the twin and runs it; none, and says why, where it cannot be compiled. */
    static CudaPeer measure(long rows, long unifiedRows, int rounds, int devices) {
        try {
            Path folder = Files.createTempDirectory("penstock-peer");
            Path source = folder.resolve("peer.cu");
            Path program = folder.resolve("peer");
            try (InputStream in =
                    Objects.requireNonNull(CudaPeer.class.getResourceAsStream("peer.cu"), "peer.cu is missing")) {
                Files.copy(in, source);
            }
            List<String> compiling =
                    List.of("nvcc", "-O3", "-std=c++17", "-arch=native", "-o", program.toString(), source.toString());
            try {
                run(compiling);
            } catch (IOException e) {
                System.out.println("without a peer, since nvcc cannot be run: " + e.getMessage());
                return none();
            }
            List<String> running = List.of(
                    program.toString(),
                    Long.toString(rows),
                    Long.toString(unifiedRows),
                    Integer.toString(rounds),
                    Integer.toString(devices));
            return parse(run(running));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What a command prints. */
    private static String run(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            int status = process.waitFor();
            if (status == 0) return output;
            throw new IllegalStateException(command.getFirst() + " ended with status " + status + ": " + output);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while " + command.getFirst() + " ran", e);
        }
    }

    /** Reads a line for each case: its name and its median in seconds, with tabs between; other lines are for people. */
    static CudaPeer parse(String output) {
        Map<String, Double> medians = new HashMap<>();
        output.lines().map(line -> line.split("\t", -1)).forEach(parts -> {
            if (parts.length > 1) medians.put(parts[0], Double.valueOf(parts[1]));
        });
        return new CudaPeer(medians);
    }

    /** The median of a case in seconds; empty when it was not measured. */
    OptionalDouble median(String name) {
        Double found = medians.get(name);
        return found == null ? OptionalDouble.empty() : OptionalDouble.of(found);
    }
}

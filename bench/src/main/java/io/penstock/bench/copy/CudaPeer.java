package io.penstock.bench.copy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** What the twin of this benchmark in CUDA C++ has measured: {@code peer.cu}, compiled by nvcc and run before. */
final class CudaPeer {
    private final Map<String, Double> medians;

    private CudaPeer(Map<String, Double> medians) {
        this.medians = medians;
    }

    static CudaPeer none() {
        return new CudaPeer(Map.of());
    }

    /**
     * Runs the program, which prints a line for each case: its name, and its median in seconds or the reason why there is none.
     *
     * @throws IllegalStateException with what it has printed when it fails
     */
    static CudaPeer run(Path program, long rows, long unifiedRows, int rounds, int devices) {
        List<String> command = List.of(
                program.toAbsolutePath().toString(),
                Long.toString(rows),
                Long.toString(unifiedRows),
                Integer.toString(rounds),
                Integer.toString(devices));
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int status = process.waitFor();
            if (status != 0) throw new IllegalStateException(program + " ended with status " + status + ": " + output);
            return parse(output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while " + program + " ran", e);
        }
    }

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

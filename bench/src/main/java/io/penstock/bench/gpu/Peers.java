package io.penstock.bench.gpu;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Programs that do the same in CUDA C++ and in CuPy; each prints a line a case, its name, a tabulator and the median in seconds. */
final class Peers {
    private static final List<String> COMPILERS = List.of("nvcc", "/usr/local/cuda/bin/nvcc");

    private Peers() {}

    /** What {@code peer.cu} measures; empty, with the reason on the standard output, where it cannot be compiled. */
    static Map<String, Double> cuda(List<String> arguments) {
        Path source = unpack("peer.cu");
        Path program = source.resolveSibling("peer");
        for (String compiler : COMPILERS) {
            List<String> command = new ArrayList<>(List.of(compiler, "-O3", "-std=c++17", "-arch=native", "-o"));
            command.addAll(List.of(program.toString(), source.toString()));
            if (run(command) instanceof Ended compiled) {
                if (compiled.status() != 0) return absent("CUDA C++", compiled.output());
                return measured("CUDA C++", run(with(List.of(program.toString()), arguments)));
            }
        }
        return absent("CUDA C++", "no nvcc was found; install the CUDA toolkit");
    }

    /** What {@code peer.py} measures; empty, with the reason on the standard output, where CuPy is missing. */
    static Map<String, Double> cupy(List<String> arguments) {
        Path script = unpack("peer.py");
        return measured("CuPy", run(with(List.of("python3", script.toString()), arguments)));
    }

    private static List<String> with(List<String> command, List<String> arguments) {
        List<String> all = new ArrayList<>(command);
        all.addAll(arguments);
        return all;
    }

    private static Map<String, Double> measured(String peer, Outcome outcome) {
        return switch (outcome) {
            case Missing missing -> absent(peer, missing.why());
            case Ended ended when ended.status() != 0 -> absent(peer, ended.output());
            case Ended ended -> parse(ended.output());
        };
    }

    private static Map<String, Double> absent(String peer, String why) {
        System.out.println("without " + peer + ": " + why.strip());
        return Map.of();
    }

    static Map<String, Double> parse(String output) {
        Map<String, Double> medians = new HashMap<>();
        output.lines().map(line -> line.split("\t", -1)).forEach(parts -> {
            if (parts.length == 2) medians.put(parts[0], Double.valueOf(parts[1]));
        });
        return medians;
    }

    /** How a command went. */
    sealed interface Outcome {}

    /** It could not be started. */
    record Missing(String why) implements Outcome {}

    /** It ended, having printed something. */
    record Ended(int status, String output) implements Outcome {}

    static Outcome run(List<String> command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Ended(process.waitFor(), output);
        } catch (IOException e) {
            return new Missing(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while " + command.getFirst() + " ran", e);
        }
    }

    private static Path unpack(String name) {
        try (InputStream in = Objects.requireNonNull(Peers.class.getResourceAsStream(name), name + " is missing")) {
            Path file = Files.createTempDirectory("penstock-peer").resolve(name);
            Files.copy(in, file);
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

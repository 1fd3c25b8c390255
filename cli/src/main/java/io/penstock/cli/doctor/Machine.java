package io.penstock.cli.doctor;

import io.penstock.cli.plot.Fonts;
import io.penstock.runtime.Backend;
import io.penstock.runtime.Backends;
import io.penstock.runtime.Device;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;

/** The JVM, the cores and the memory. */
final class Machine {
    private static final String JVM = "JVM";
    private static final String MEMORY = "Memory";
    private static final String DEVICES = "Devices";

    private Machine() {}

    static List<Finding> examine() {
        List<Finding> findings = new ArrayList<>();
        findings.add(Finding.found(
                JVM,
                "Java",
                Runtime.version() + ", " + System.getProperty("java.vm.name") + ", "
                        + System.getProperty("java.home")));
        findings.add(Finding.found(
                JVM,
                "system",
                System.getProperty("os.name") + " " + System.getProperty("os.version") + ", "
                        + System.getProperty("os.arch")));
        findings.add(Finding.found(JVM, "cores", Runtime.getRuntime().availableProcessors() + " for this process"));
        findings.add(Finding.found(
                JVM,
                "SIMD",
                FloatVector.SPECIES_PREFERRED.vectorBitSize() + " bits: " + FloatVector.SPECIES_PREFERRED.length()
                        + " floats or " + DoubleVector.SPECIES_PREFERRED.length() + " doubles at once"));
        findings.add(memory());
        findings.add(limit());
        findings.add(Finding.found(
                MEMORY,
                "for Java",
                gigabytes(Runtime.getRuntime().maxMemory()) + " for objects, "
                        + gigabytes(Device.jvm().memoryUse().limit()) + " for arrays"));
        findings.add(hugePages());
        for (Device device : Device.all()) findings.add(Finding.found(DEVICES, device.name(), device.description()));
        for (Backend backend : Backends.all())
            backend.absence().ifPresent(reason -> findings.add(Finding.missing(DEVICES, backend.name(), reason)));
        findings.add(Fonts.obstacle()
                .map(reason -> Finding.missing("Pictures", "fonts", reason))
                .orElse(Finding.found("Pictures", "fonts", "found")));
        return findings;
    }

    private static Finding memory() {
        String text = read(Path.of("/proc/meminfo"));
        long total = kilobytes(text, "MemTotal");
        if (total < 0) return Finding.missing(MEMORY, "of the machine", "/proc/meminfo does not tell");
        return Finding.found(
                MEMORY,
                "of the machine",
                gigabytes(total * 1024) + ", " + gigabytes(kilobytes(text, "MemAvailable") * 1024) + " of it free");
    }

    private static Finding limit() {
        for (String file : List.of("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")) {
            String text = read(Path.of(file)).strip();
            // Without a limit, version 2 of control groups says "max", and version 1 a number beyond any memory.
            if (text.matches("\\d{1,17}"))
                return Finding.found(MEMORY, "limit", gigabytes(Long.parseLong(text)) + " (" + file + ")");
        }
        return Finding.found(MEMORY, "limit", "no control group limits this process");
    }

    private static Finding hugePages() {
        String text = read(Path.of("/sys/kernel/mm/transparent_hugepage/enabled"));
        Matcher chosen = Pattern.compile("\\[(\\w+)]").matcher(text);
        if (!chosen.find()) return Finding.missing(MEMORY, "huge pages", "this system has no transparent huge pages");
        return chosen.group(1).equals("never")
                ? Finding.missing(
                        MEMORY,
                        "huge pages",
                        "switched off; as root: echo madvise > /sys/kernel/mm/transparent_hugepage/enabled")
                : Finding.found(MEMORY, "huge pages", "transparent (" + chosen.group(1) + ")");
    }

    private static long kilobytes(String text, String name) {
        Matcher matcher = Pattern.compile("(?m)^" + name + ":\\s+(\\d+) kB").matcher(text);
        return matcher.find() ? Long.parseLong(matcher.group(1)) : -1;
    }

    /** A small file of the system; empty where it is not there. */
    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return "";
        }
    }

    private static String gigabytes(long bytes) {
        return String.format("%.1f GiB", bytes / (double) (1L << 30));
    }
}

package io.penstock.cli.doctor;

import io.penstock.foreign.Libc;
import io.penstock.foreign.Loader;
import io.penstock.foreign.Mpi;
import io.penstock.foreign.MpiAbi;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The native libraries that devices and communicators use. They are loaded, so that the reason is known when that fails; MPI
 * libraries are asked what they are, and nothing else is called.
 */
final class NativeLibraries {
    private static final String MPI = "MPI";

    private record Library(String group, String name, List<String> files) {}

    private static final List<Library> KNOWN = List.of(
            new Library(MPI, "Open MPI", List.of("libmpi.so.40", "/usr/lib/x86_64-linux-gnu/openmpi/lib/libmpi.so.40")),
            new Library(MPI, "MPICH", List.of("libmpi.so.12", "libmpich.so.12")),
            new Library(MPI, "the standard MPI ABI", List.of("libmpi_abi.so.0", "libmpi_abi.so")),
            new Library("CUDA", "driver", List.of("libcuda.so.1")),
            new Library(
                    "CUDA",
                    "NVRTC, its compiler",
                    List.of("libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so", "/usr/local/cuda/lib64/libnvrtc.so")),
            new Library("CUDA", "NCCL", List.of("libnccl.so.2", "libnccl.so")),
            new Library("OpenCL", "loader", List.of("libOpenCL.so.1")));

    private NativeLibraries() {}

    static List<Finding> examine() {
        // UCX, which MPI libraries bring along, would take the signals that the JVM lives by.
        Libc.setenv("UCX_ERROR_SIGNALS", "", 0);
        List<Finding> findings = new ArrayList<>();
        for (Library library : KNOWN) findings.add(look(library));
        findings.add(drivers(Path.of("/etc/OpenCL/vendors")));
        return findings;
    }

    private static Finding look(Library library) {
        String reason = "";
        for (String file : library.files) {
            String failure = Loader.dlopen(file, Loader.RTLD_LAZY);
            if (failure.isEmpty()) return Finding.found(library.group, library.name, describe(library, file));
            // A library that is there but lacks another says more than one that is not there at all.
            if (reason.isEmpty() || !failure.startsWith(file)) reason = failure;
        }
        return Finding.missing(library.group, library.name, "not found: " + reason);
    }

    private static String describe(Library library, String file) {
        if (!library.group.equals(MPI)) return "found: " + loadedFrom(file);
        Mpi mpi = Mpi.load(file);
        return "usable: " + MpiAbi.libraryVersion(mpi) + "; ABI of "
                + MpiAbi.of(mpi).name()
                + (mpi.hasLargeCounts() ? "; counts beyond 2^31; " : "; longer messages are split; ")
                + loadedFrom(file);
    }

    /** Where the loader found a file, which Linux tells in the process' memory map. */
    private static String loadedFrom(String file) {
        Path map = Path.of("/proc/self/maps");
        String name = Path.of(file).getFileName().toString();
        try (Stream<String> lines = Files.lines(map)) {
            return lines.map(line -> line.indexOf('/') < 0 ? "" : line.substring(line.indexOf('/')))
                    .filter(path -> path.contains("/" + name))
                    .findFirst()
                    .orElse(file);
        } catch (IOException e) {
            return file;
        }
    }

    private static Finding drivers(Path folder) {
        if (!Files.isDirectory(folder)) return Finding.missing("OpenCL", "drivers", "there is no " + folder);
        try (Stream<Path> files = Files.list(folder)) {
            List<String> names = files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".icd"))
                    .sorted()
                    .toList();
            return names.isEmpty()
                    ? Finding.missing("OpenCL", "drivers", "no .icd file in " + folder)
                    : Finding.found("OpenCL", "drivers", "found: " + String.join(", ", names));
        } catch (IOException e) {
            return Finding.missing("OpenCL", "drivers", "cannot list " + folder + ": " + e.getMessage());
        }
    }
}

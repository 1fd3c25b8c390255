package io.penstock.cli.mpi;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/** Temporary folders in memory on systems that have a place for them, and where others are elsewhere. */
final class InMemory implements TempDirFactory {
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");
    private static final long ENOUGH = 64 << 20;

    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context) throws IOException {
        return Files.isWritable(SHARED_MEMORY)
                        && Files.getFileStore(SHARED_MEMORY).getUsableSpace() > ENOUGH
                ? Files.createTempDirectory(SHARED_MEMORY, "penstock")
                : Files.createTempDirectory("penstock");
    }
}

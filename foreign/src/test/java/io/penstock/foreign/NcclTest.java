package io.penstock.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NcclTest {
    @Test
    void aLibraryThatIsNotThereSaysWhy() {
        assertThatThrownBy(() -> Nccl.load("libnowhere-nccl.so"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("libnowhere-nccl.so");
    }

    @Test
    void anotherLibraryIsRefused() {
        assertThatThrownBy(() -> Nccl.load("libm.so.6")).hasMessageContaining("is no NCCL");
    }

    /** A C library with the same signatures says what reached it: the id goes by value, the rest in C's order. */
    @Test
    void argumentsArriveAsCTakesThem(@TempDir Path folder) throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/gcc")), "no C compiler at /usr/bin/gcc");
        Path source = Files.writeString(folder.resolve("nccl.c"), """
                #include <stddef.h>
                #include <string.h>
                typedef struct { char internal[128]; } ncclUniqueId;
                typedef struct { size_t size; unsigned magic, version; int blocking, cga, min, max; const char *net; int share; } config;
                int ncclCommInitRankConfig(void **comm, int n, ncclUniqueId id, int rank, config *c) {
                    for (int i = 0; i < 128; i++) if (id.internal[i] != (char) i) return 1;
                    if (c->magic != 0xcafebeef || c->size != sizeof(config) || c->blocking || c->net || c->share != (int) 0x80000000) return 2;
                    *comm = (void *) (size_t) (1000 * n + rank);
                    return 0;
                }
                int ncclReduce(const void *s, void *r, size_t count, int type, int op, int root, void *comm, void *stream) {
                    return s == (void *) 1 && r == (void *) 2 && count == 1ul << 40 && type == 8 && op == 3 && root == 5
                        && comm == (void *) 6 && stream == (void *) 7 ? 0 : 3;
                }
                const char *ncclGetErrorString(int result) { return result == 3 ? "three" : "other"; }
                """);
        Path library = folder.resolve("libnccl-stand-in.so");
        Process gcc = new ProcessBuilder(
                        "/usr/bin/gcc", "-shared", "-fPIC", "-o", library.toString(), source.toString())
                .inheritIO()
                .start();
        assertThat(gcc.waitFor(60, TimeUnit.SECONDS)).isTrue();
        Nccl nccl = Nccl.load(library.toString());
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment id = arena.allocate(Nccl.UNIQUE_ID_BYTES);
            for (int i = 0; i < Nccl.UNIQUE_ID_BYTES; i++) id.set(ValueLayout.JAVA_BYTE, i, (byte) i);
            MemorySegment comm = arena.allocate(8);
            MemorySegment config = Nccl.config(arena, false);
            assertThat(nccl.commInitRankConfig(comm.address(), 7, id, 3, config.address()))
                    .isZero();
            assertThat(comm.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(7003);
        }
        assertThat(nccl.reduce(1, 2, 1L << 40, Nccl.FLOAT64, Nccl.MIN, 5, 6, 7)).isZero();
        assertThat(Nccl.text(nccl.getErrorString(3))).isEqualTo("three");
        assertThatThrownBy(() -> nccl.commAbort(1))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("has no ncclCommAbort");
    }
}

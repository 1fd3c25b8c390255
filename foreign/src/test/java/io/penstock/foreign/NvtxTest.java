package io.penstock.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The calls of NVTX, by a small library that stands for it. */
class NvtxTest {
    @TempDir
    private Path folder;

    @Test
    void rangesNest() throws IOException, InterruptedException {
        Path c = Files.writeString(folder.resolve("nvtx.c"), """
                #include <string.h>
                static int depth;
                int nvtxRangePushA(const char *name) { return strcmp(name, "step") ? -1 : depth++; }
                int nvtxRangePop(void) { return --depth; }
                """);
        Path so = folder.resolve("libnvtx.so");
        Process compiler;
        try {
            compiler = new ProcessBuilder("cc", "-shared", "-fPIC", "-o", so.toString(), c.toString())
                    .inheritIO()
                    .start();
        } catch (IOException e) {
            assumeTrue(false, "no C compiler to make a stand-in for NVTX with");
            throw e;
        }
        assertThat(compiler.waitFor()).isZero();
        Nvtx nvtx = Nvtx.load(so.toString());
        assertThat(nvtx.file()).isEqualTo(so.toString());
        try (Arena arena = Arena.ofConfined()) {
            assertThat(nvtx.rangePush(arena.allocateFrom("step").address())).isZero();
            assertThat(nvtx.rangePush(arena.allocateFrom("step").address())).isEqualTo(1);
        }
        assertThat(nvtx.rangePop()).isEqualTo(1);
        assertThat(nvtx.rangePop()).isZero();
        assertThatThrownBy(() -> Nvtx.load("libm.so.6")).hasMessageContaining("is no NVTX");
    }
}

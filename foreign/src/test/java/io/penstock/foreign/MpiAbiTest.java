package io.penstock.foreign;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How the ABI of a library is told, by small libraries that stand for MPI and check what they are called with. */
class MpiAbiTest {
    private static final String COMMON = """
            int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) { *provided = required; return 0; }
            int MPI_Get_library_version(char *v, int *n) { const char t[] = "Stand-in  1.0\\nmore"; int i = 0;
              for (; i < (int) sizeof t; i++) v[i] = t[i]; *n = i - 1; return 0; }
            """;

    /** With the constants of the standard's header. */
    private static final String STANDARD = COMMON + """
            typedef struct handle *H;
            int MPI_Abi_get_version(int *major, int *minor) { *major = 1; *minor = 0; return 0; }
            int MPI_Comm_size(H comm, int *size) { if (comm != (H) 0x101) return 5; *size = 3; return 0; }
            int MPI_Comm_set_errhandler(H comm, H handler) { return comm == (H) 0x101 && handler == (H) 0x143 ? 0 : 61; }
            int MPI_Allreduce(void *s, void *r, int n, H type, H op, H comm) {
              return s == (void *) 1 && n == 7 && type == (H) 0x214 && op == (H) 0x24 && comm == (H) 0x101 ? 0 : 3; }
            int MPI_Allreduce_c(void *s, void *r, long n, H type, H op, H comm) { return n == 1L << 32 ? 77 : 3; }
            """;

    @TempDir
    private Path folder;

    private Mpi library(String source) throws IOException, InterruptedException {
        Path c = Files.writeString(folder.resolve("mpi.c"), source);
        Path so = folder.resolve("libstandin.so");
        Process compiler;
        try {
            compiler = new ProcessBuilder("cc", "-shared", "-fPIC", "-o", so.toString(), c.toString())
                    .inheritIO()
                    .start();
        } catch (IOException e) {
            assumeTrue(false, "no C compiler to make a stand-in for MPI with");
            throw e;
        }
        assertThat(compiler.waitFor()).isZero();
        return Mpi.load(so.toString());
    }

    @Test
    void theStandardAbiIsSpokenWithItsConstants() throws IOException, InterruptedException {
        Mpi mpi = library(STANDARD);
        MpiAbi abi = MpiAbi.of(mpi);
        assertThat(abi).isInstanceOf(MpiAbi.Standard.class);
        assertThat(MpiAbi.libraryVersion(mpi)).isEqualTo("Stand-in 1.0");
        assertThat(mpi.hasLargeCounts()).isTrue();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment cell = arena.allocate(8);
            assertThat(mpi.initThread(0, 0, abi.threadMultiple(), cell.address()))
                    .isZero();
            assertThat(cell.get(JAVA_INT, 0)).isEqualTo(4096);
            assertThat(mpi.commSize(abi.commWorld(), cell.address())).isZero();
            assertThat(cell.get(JAVA_INT, 0)).isEqualTo(3);
            assertThat(mpi.commSize(abi.commSelf(), cell.address())).isEqualTo(5);
        }
        assertThat(mpi.commSetErrhandler(abi.commWorld(), abi.errorsReturn())).isZero();
        long real64 = abi.types().real64();
        long prod = abi.operations().prod();
        assertThat(mpi.allreduce(abi.inPlace(), 64, 7, real64, prod, abi.commWorld()))
                .isZero();
        assertThat(mpi.allreduce(abi.inPlace(), 64, 1L << 32, real64, prod, abi.commWorld()))
                .isEqualTo(77);
        assertThatThrownBy(() -> mpi.barrier(abi.commWorld()))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("has no MPI_Barrier");
    }

    @Test
    void aLibraryWithoutTheStandardAbiIsOfTheMpichFamilyOrOpenMpi() throws IOException, InterruptedException {
        Mpi mpi = library(COMMON + "int MPI_Abi_get_version(int *a, int *b) { *a = *b = -1; return 0; }");
        assertThat(MpiAbi.of(mpi)).isInstanceOf(MpiAbi.Mpich.class);
        assertThat(mpi.hasLargeCounts()).isFalse();
    }

    @Test
    void openMpiIsKnownByItsSymbols() throws IOException, InterruptedException {
        Mpi mpi = library(COMMON + "char ompi_mpi_comm_world[8];");
        MpiAbi abi = MpiAbi.of(mpi);
        assertThat(abi).isInstanceOf(MpiAbi.OpenMpi.class);
        assertThat(abi.commWorld()).isEqualTo(mpi.address("ompi_mpi_comm_world"));
    }

    @Test
    void whatIsNoMpiIsRefused() {
        assertThatThrownBy(() -> Mpi.load("libm.so.6")).hasMessageContaining("is no MPI library");
        assertThatThrownBy(() -> Mpi.load("libnothing.so.9")).hasMessageContaining("libnothing.so.9");
    }
}

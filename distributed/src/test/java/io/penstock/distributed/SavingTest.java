package io.penstock.distributed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.array.ArrayFileException;
import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.array.Npz;
import io.penstock.comm.CommunicatorException;
import io.penstock.comm.Ranks;
import io.penstock.comm.Traffic;
import io.penstock.testing.Seeded;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SavingTest {
    @TempDir
    Path folder;

    @Test
    void writesTheHeaderAndTheElementsInOrder() {
        Seeded.cases(80, random -> {
            int size = Cases.ranks(random);
            long[] shape = Cases.shape(random);
            NDArray whole = Cases.numbers(random, Cases.dtype(random), shape);
            Layout layout = Cases.layout(random, size, shape);
            Path file = folder.resolve("x.npy");
            Ranks.run(size, ranks -> {
                DistributedSpace space = new DistributedSpace(ranks, layout, whole.dtype());
                DistributedArray.ofGlobal(space, whole).save(file);
                assertThat(Files.exists(file)).isTrue();
            });
            byte[] bytes = read(file);
            int header = 10 + (bytes[8] & 0xff) + 256 * (bytes[9] & 0xff);
            assertThat(header % 64).isZero();
            assertThat(Arrays.copyOfRange(bytes, header, bytes.length))
                    .isEqualTo(whole.buffer().segment().toArray(ValueLayout.JAVA_BYTE));
            assertThat(folder.toFile().list()).containsExactly("x.npy");
        });
    }

    @Test
    void aFileThatCannotBeWrittenIsAnErrorOnEveryRankAndTheyGoOn() {
        Path missing = folder.resolve("missing").resolve("x.npy");
        List<Double> sums = Ranks.call(3, ranks -> {
            DistributedArray x = DistributedSpace.rows(ranks, 4).fromFunction(at -> at[0]);
            assertThatThrownBy(() -> x.save(missing))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageStartingWith("cannot write " + missing + ": java.nio.file.NoSuchFileException: ");
            return x.sum().value();
        });
        assertThat(sums).containsExactly(6.0, 6.0, 6.0);
    }

    @Test
    void aFolderIsNoFile() {
        Ranks.run(2, ranks -> {
            DistributedArray x = DistributedSpace.rows(ranks, 4).zeros();
            for (Path path : List.of(folder, folder.getRoot()))
                assertThatThrownBy(() -> x.save(path))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("file is " + path + ", a folder");
        });
        assertThat(folder.toFile().list()).isEmpty();
    }

    @Test
    void writesWhatNumPyWrites() {
        Path file = folder.resolve("x.npy");
        Ranks.run(
                2,
                ranks -> DistributedSpace.split(ranks, 1, 3, 4)
                        .as(DType.C64)
                        .zeros()
                        .save(file));
        String header = new String(read(file), 0, 128, StandardCharsets.ISO_8859_1);
        assertThat(header)
                .startsWith(
                        "\u0093NUMPY\u0001\u0000v\u0000{'descr': '<c8', 'fortran_order': False, 'shape': (3, 4), }  ")
                .endsWith(" \n");
        Ranks.run(2, ranks -> DistributedSpace.rows(ranks, 5).zeros().save(file));
        assertThat(new String(read(file), StandardCharsets.ISO_8859_1))
                .contains("{'descr': '<f8', 'fortran_order': False, 'shape': (5,), }");
    }

    @Test
    void readsBackInAnyLayoutWithoutSending() {
        Seeded.cases(60, random -> {
            int size = Cases.ranks(random);
            long[] shape = Cases.shape(random);
            NDArray whole = Cases.numbers(random, Cases.dtype(random), shape);
            Layout layout = Cases.layout(random, size, shape);
            Layout other = Cases.layout(random, size, shape);
            Path file = folder.resolve("y.npy");
            Ranks.run(size, ranks -> {
                DistributedSpace space = new DistributedSpace(ranks, layout, whole.dtype());
                DistributedArray.ofGlobal(space, whole).save(file);
                Traffic before = ranks.traffic();
                DistributedArray x = DistributedArray.load(space.with(other), file);
                DistributedArray wide = DistributedArray.load(space.with(other).as(DType.C128), file);
                assertThat(ranks.traffic()).isEqualTo(before);
                Cases.assertEqual(x.local(), Redistribution.part(whole, other, ranks.rank()));
                Cases.assertEqual(wide.local(), x.local().as(DType.C128));
            });
            Cases.assertEqual(NDArray.load(file), whole);
        });
    }

    @Test
    void readsFromArchives() {
        Path archive = folder.resolve("all.npz");
        NDArray model = NDArray.random(1, DType.F32, 5, 3);
        Npz.write(archive, Map.of("model", model), true);
        Ranks.run(3, ranks -> {
            DistributedSpace space = DistributedSpace.split(ranks, 1, 5, 3);
            Cases.assertEqual(DistributedArray.load(space, archive, "model").allGather(), model.as(DType.F64));
        });
        assertThatThrownBy(() -> Ranks.run(
                        3, ranks -> DistributedArray.load(DistributedSpace.rows(ranks, 3, 5), archive, "model")))
                .isInstanceOf(CommunicatorException.class)
                .rootCause()
                .hasMessageContaining("has shape (5, 3); expected (3, 5)");
    }

    @Test
    void refusesFilesThatDoNotFit() {
        Path file = folder.resolve("z.npy");
        NDArray.random(1, DType.C64, 6, 3).save(file);
        Ranks.run(3, ranks -> {
            assertThatThrownBy(() -> DistributedArray.load(DistributedSpace.rows(ranks, 5, 3), file))
                    .hasMessageContaining("has shape (6, 3); expected (5, 3)");
            assertThatThrownBy(() -> DistributedArray.load(DistributedSpace.rows(ranks, 6, 3), file))
                    .hasMessageContaining("has elements of C64; expected F64");
            assertThatThrownBy(() -> DistributedArray.load(DistributedSpace.rows(ranks, 5), folder.resolve("none")))
                    .isInstanceOf(ArrayFileException.class)
                    .hasMessageContaining("none");
        });
    }

    @Test
    void failsOnAllRanksAndLeavesNothingBehind() throws IOException {
        Path file = folder.resolve("missing").resolve("x.npy");
        assertThatThrownBy(() -> Ranks.run(
                        3, ranks -> DistributedSpace.rows(ranks, 5).zeros().save(file)))
                .isInstanceOf(CommunicatorException.class)
                .rootCause()
                .hasMessageContaining("missing");
        Path taken = Files.createDirectory(folder.resolve("taken"));
        Files.createFile(taken.resolve("inside"));
        assertThatThrownBy(() -> Ranks.run(
                        3, ranks -> DistributedSpace.rows(ranks, 5).zeros().save(taken)))
                .isInstanceOf(CommunicatorException.class);
        assertThat(folder.toFile().list()).containsExactly("taken");
    }

    private static byte[] read(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

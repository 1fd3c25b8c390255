package io.penstock.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.penstock.testing.Seeded;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NpyTest {
    @TempDir
    Path folder;

    private static byte[] file(int version, String header, byte[] data) {
        byte[] text = header.getBytes(StandardCharsets.UTF_8);
        ByteBuffer buffer = ByteBuffer.allocate(12 + text.length + data.length).order(ByteOrder.LITTLE_ENDIAN);
        buffer.put(NpyHeader.MAGIC).put((byte) version).put((byte) 0);
        if (version == 1) buffer.putShort((short) text.length);
        else buffer.putInt(text.length);
        buffer.put(text).put(data);
        return Arrays.copyOf(buffer.array(), buffer.position());
    }

    private static String dict(String descr, boolean fortran, String shape) {
        return "{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': " + shape
                + ", }   \n";
    }

    private static NDArray read(byte[] bytes) {
        return Npy.read(new ByteSource("x.npy", "", new ByteArrayInputStream(bytes), bytes.length));
    }

    private static byte[] data(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) bytes[i] = (byte) values[i];
        return bytes;
    }

    @Test
    void everyVersionOrderAndLayoutIsRead() {
        byte[] big = ByteBuffer.allocate(24)
                .putInt(1)
                .putInt(2)
                .putInt(3)
                .putInt(-4)
                .putInt(5)
                .putInt(6)
                .array();
        for (int version = 1; version <= 3; version++) {
            NDArray x = read(file(version, dict(">i4", false, "(2, 3)"), big));
            assertThat(x.dtype()).isEqualTo(DType.I32);
            assertThat(x.shape()).containsExactly(2, 3);
            assertThat(x.toInts()).containsExactly(1, 2, 3, -4, 5, 6);
            NDArray y = read(file(version, dict(">i4", true, "(2, 3)"), big));
            assertThat(y.toInts()).containsExactly(1, 3, 5, 2, -4, 6);
            assertThat(y.isContiguous()).isTrue();
        }
        byte[] complex = ByteBuffer.allocate(16).putDouble(1.5).putDouble(-2).array();
        assertThat(read(file(1, dict(">c16", false, "()"), complex)).getComplex())
                .isEqualTo(new Complex(1.5, -2));
        byte[] half = data(0x00, 0x3c, 0x00, 0xc0);
        assertThat(read(file(1, dict("<f2", false, "(2,)"), half)).toDoubles()).containsExactly(1, -2);
        assertThat(read(file(1, dict("<f8", false, "(0, 5)"), data())).shape()).containsExactly(0, 5);
        assertThat(read(file(1, "{\"shape\":(2L,),\"fortran_order\":True,\"descr\":\"|u1\"}", data(7, 200)))
                        .toInts())
                .containsExactly(7, 200);
    }

    @Test
    void narrowElementsBecomeTheNextWiderType() {
        assertThat(read(file(1, dict("|b1", false, "(2,)"), data(0, 1))).dtype())
                .isEqualTo(DType.U8);
        assertThat(read(file(1, dict("|i1", false, "(2,)"), data(5, 255))).toInts())
                .containsExactly(5, -1);
        assertThat(read(file(1, dict("<i2", false, "(1,)"), data(0xfe, 0xff))).toInts())
                .containsExactly(-2);
        assertThat(read(file(1, dict(">u2", false, "(1,)"), data(0xff, 0xfe))).toInts())
                .containsExactly(0xfffe);
        NDArray x = read(file(1, dict("<u4", false, "(1,)"), data(0xff, 0xff, 0xff, 0xff)));
        assertThat(x.dtype()).isEqualTo(DType.I64);
        assertThat(x.toLongs()).containsExactly(0xffffffffL);
    }

    @Test
    void whatIsWrongIsSaidWithItsPlace() {
        assertThatThrownBy(() -> read(data('P', 'K', 3, 4, 0, 0, 0, 0)))
                .hasMessage(
                        "x.npy: byte 0: not a .npy file; expected it to begin with \\x93NUMPY (an .npz archive is read by Npz.open)");
        assertThatThrownBy(() -> read(data(0x93, 'N')))
                .hasMessageContaining("byte 2: the file ends within the magic string");
        assertThatThrownBy(() -> read(file(4, "", data()))).hasMessageContaining("byte 6: format version 4.0");
        assertThatThrownBy(() -> read(file(1, dict("<f8", false, "(3,)"), new byte[16])))
                .hasMessageContaining("the file has 16 bytes of data; expected 24 for shape (3,)");
        assertThatThrownBy(() -> read(file(1, dict("<f8", false, "(1,)"), new byte[9])))
                .hasMessageContaining("the file has 9 bytes of data; expected 8");
        assertThatThrownBy(() -> read(file(1, dict("<f8", false, "(999999999999, 999999999)"), new byte[9])))
                .hasMessageContaining("more than 2^63 bytes");
        assertThatThrownBy(() -> read(file(1, dict("|O", false, "(1,)"), new byte[8])))
                .hasMessageContaining("element type '|O'; expected b1");
        assertThatThrownBy(() -> read(file(1, dict("<f8", false, "(-1,)"), new byte[8])))
                .hasMessageContaining("expected an extent, a whole number from 0");
    }

    @Test
    void filesThatAreNotThereAreSaidToBeSo() throws IOException {
        Path none = folder.resolve("none.npy");
        for (ThrowingCallable use : List.<ThrowingCallable>of(
                () -> NDArray.load(none),
                () -> NDArray.spaceOf(none),
                () -> NDArray.loadSlab(none, 0, 0, 1),
                () -> Npz.open(none)))
            assertThatThrownBy(use).isInstanceOf(ArrayFileException.class).hasMessage(none + ": there is no such file");
        Path lost = folder.resolve("nowhere/x.npy");
        for (ThrowingCallable use : List.<ThrowingCallable>of(
                () -> NDArray.of(1).save(lost), () -> Npz.write(lost, Map.of("a", NDArray.of(1)), false)))
            assertThatThrownBy(use)
                    .isInstanceOf(ArrayFileException.class)
                    .hasMessage(lost + ": cannot be written: its folder does not exist; make it first");
        assertThatThrownBy(() -> NDArray.of(1).save(folder)).hasMessage(folder + ": cannot be written: Is a directory");
        Path single = folder.resolve("single.npy");
        NDArray.of(1).save(single);
        assertThatThrownBy(() -> Npz.open(single)).hasMessageContaining("NDArray.load");
    }

    @Test
    void whatIsWrittenIsReadBack() {
        Seeded.cases(100, random -> {
            NDArray x = Cases.small(random, Cases.type(random), Cases.shape(random, 4, 6));
            Path path = folder.resolve("x.npy");
            x.save(path);
            NDArray y = NDArray.load(path);
            assertThat(y.dtype()).isEqualTo(x.dtype());
            assertThat(y.shape()).isEqualTo(x.shape());
            assertThat(Cases.elements(y)).isEqualTo(Cases.elements(x));
            if (x.ndim() == 0) return;
            int axis = random.nextInt(x.ndim());
            long from = random.nextLong(x.dim(axis) + 1);
            long to = random.nextLong(from, x.dim(axis) + 1);
            NDArray slab = NDArray.loadSlab(path, axis, from, to);
            assertThat(slab.shape()).isEqualTo(x.slice(axis, from, to).shape());
            assertThat(Cases.elements(slab)).isEqualTo(Cases.elements(x.slice(axis, from, to)));
            Path archive = folder.resolve("x.npz");
            boolean compressed = random.nextBoolean();
            Map<String, NDArray> arrays = new LinkedHashMap<>();
            arrays.put("first", x);
            arrays.put("second", slab);
            Npz.write(archive, arrays, compressed);
            try (Npz npz = Npz.open(archive)) {
                assertThat(npz.names()).containsExactly("first", "second");
                assertThat(Cases.elements(npz.get("second"))).isEqualTo(Cases.elements(slab));
                assertThat(Cases.elements(npz.get("first"))).isEqualTo(Cases.elements(x));
                assertThatThrownBy(() -> npz.get("third"))
                        .hasMessageEndingWith("entry third.npy: not found; the archive has [first, second]");
            }
        });
    }

    @Test
    void slabsOfFortranFilesAreRead() throws IOException {
        byte[] bytes = data(1, 2, 3, 4, 5, 6);
        Path path = folder.resolve("f.npy");
        Files.write(path, file(2, dict("|u1", true, "(2, 3)"), bytes));
        assertThat(NDArray.loadSlab(path, 1, 1, 3).toInts()).containsExactly(3, 5, 4, 6);
        assertThat(NDArray.loadSlab(path, 0, 1, 2).toInts()).containsExactly(2, 4, 6);
        assertThatThrownBy(() -> NDArray.loadSlab(path, 0, 1, 3)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void mutatedFilesAreReadOrRefused() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Npy.write(NDArray.random(1, DType.C64, 3, 4), out);
        List<byte[]> seeds = List.of(
                out.toByteArray(),
                file(1, dict("<f8", true, "(2, 3)"), new byte[48]),
                file(2, dict(">i2", false, "(5,)"), new byte[10]),
                file(3, dict("|b1", false, "()"), new byte[1]),
                file(1, dict("<f4", false, "(0, 4)"), new byte[0]));
        SplittableRandom random = new SplittableRandom(11);
        int read = 0;
        for (int i = 0; i < 99_000; i++) {
            try (NDArray array = read(mutate(random, seeds.get(i % seeds.size())))) {
                assertThat(array.size() * array.dtype().bytes()).isLessThan(1000);
                read++;
            } catch (ArrayFileException e) {
                assertThat(e).hasMessageStartingWith("x.npy: byte ");
            }
        }
        assertThat(read).isBetween(1000, 98_000);
    }

    @Test
    void mutatedArchivesAreReadOrRefused() throws IOException {
        Path path = folder.resolve("m.npz");
        Map<String, NDArray> arrays = new LinkedHashMap<>();
        arrays.put("a", NDArray.random(1, DType.F64, 5));
        arrays.put("b", NDArray.zeros(DType.F32, 100));
        Npz.write(path, arrays, true);
        byte[] deflated = Files.readAllBytes(path);
        Npz.write(path, arrays, false);
        byte[] stored = Files.readAllBytes(path);
        SplittableRandom random = new SplittableRandom(12);
        int read = 0;
        for (int i = 0; i < 1_000; i++) {
            Files.write(path, mutate(random, i % 2 == 0 ? deflated : stored));
            try (Npz npz = Npz.open(path)) {
                for (String name : npz.names()) npz.get(name).close();
                read++;
            } catch (ArrayFileException e) {
                assertThat(e).hasMessageStartingWith(path.toString());
            }
        }
        assertThat(read).isBetween(10, 990);
    }

    /** A directory may claim that few bytes were many; no memory is taken for more than the file can hold. */
    @Test
    void archivesThatClaimMoreThanTheFileCanHoldAreRefused() throws IOException {
        Path path = folder.resolve("claims.npz");
        Npz.write(path, Map.of("a", NDArray.zeros(DType.F64, 100)), true);
        byte[] bytes = Files.readAllBytes(path);
        ByteBuffer file = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int directory = file.getInt(bytes.length - 6);
        file.putInt(directory + 20, 0xfffffff0); // compressed size
        file.putInt(directory + 24, 0xfffffff0); // size
        Files.write(path, bytes);
        try (Npz npz = Npz.open(path)) {
            assertThatThrownBy(() -> npz.get("a"))
                    .isInstanceOf(ArrayFileException.class)
                    .hasMessageContaining("is said to have 4294967280 bytes, more than " + bytes.length);
        }
    }

    @Test
    void whatIsNoRegularFileIsRefusedWithoutBeingOpened() {
        for (Path path : List.of(folder, Path.of("/dev/zero"))) {
            if (!Files.exists(path)) continue;
            for (Runnable open : List.<Runnable>of(
                    () -> NDArray.load(path),
                    () -> NDArray.spaceOf(path),
                    () -> NDArray.loadSlab(path, 0, 0, 1),
                    () -> Npz.open(path)))
                assertThatThrownBy(open::run)
                        .isInstanceOf(ArrayFileException.class)
                        .hasMessageStartingWith(path.toString())
                        .hasMessageContaining("not a regular file");
        }
    }

    private static final String[] PIECES = {
        "9", "0", "-", "(", ")", ",", "'", "{", "}", "L", "True", "9999999999", ": ", "<c16", ">", "|", "e", "\u0000"
    };

    private static byte[] mutate(SplittableRandom random, byte[] seed) {
        byte[] bytes = seed.clone();
        switch (random.nextInt(4)) {
            case 0 -> bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length + 8));
            case 1 -> {
                for (int k = random.nextInt(1, 4); k > 0; k--)
                    bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            case 2 -> {
                byte[] piece = PIECES[random.nextInt(PIECES.length)].getBytes(StandardCharsets.UTF_8);
                int at = random.nextInt(Math.min(100, bytes.length - piece.length));
                System.arraycopy(piece, 0, bytes, at, piece.length);
            }
            default -> {
                int bit = random.nextInt(8 * bytes.length);
                bytes[bit / 8] ^= (byte) (1 << bit % 8);
            }
        }
        return bytes;
    }

    @Test
    void recordedFilesAreRead() throws IOException {
        Path shared = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(shared.resolve("shared/data"))) {
            Path parent = shared.getParent();
            assumeThat(parent).as("a shared folder beside the repository").isNotNull();
            if (parent == null) return;
            shared = parent;
        }
        Path data = shared.resolve("shared/data");
        NDArray phantom = NDArray.load(data.resolve("optimization/shepp_logan_phantom.npy"));
        assertThat(phantom.ndim()).isEqualTo(2);
        assertThat(phantom.max().get()).isGreaterThan(phantom.min().get());
        try (Npz npz = Npz.open(data.resolve("avo/poststack_model.npz"))) {
            NDArray model = npz.get("model");
            assertThat(model.shape()).containsExactly(550, 800);
            assertThat(model.min().get()).isBetween(1.0, 10.0);
            assertThat(model.max().get()).isBetween(model.mean().get(), 20.0);
        }
        try (Npz npz = Npz.open(shared.resolve("shared/oracle/local_FFT.npz"))) {
            for (String name : npz.names()) npz.get(name).close();
            assertThat(npz.names()).isNotEmpty();
        }
    }

    @Test
    void filesWrittenByNumPyAreRead() throws Exception {
        String script = """
                import numpy as n, sys, os
                d = sys.argv[1]; x = n.arange(24).reshape(2, 3, 4)
                for t in '|u1 <i4 >i4 <i8 <f4 >f4 <f8 >f8 <c8 >c8 <c16 >c16 <i2 >u2 <u4 |i1 <f2'.split():
                    for o in 'CF':
                        n.save(os.path.join(d, t[1:] + '_' + str('<>|'.index(t[0])) + o), x.astype(t).copy(order=o))
                n.savez_compressed(os.path.join(d, 'z'), a=x, b=x > 3)
                """;
        Process process;
        try {
            process = new ProcessBuilder("python3", "-c", script, folder.toString())
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException e) {
            assumeThat(e).as("python3").isNull();
            return;
        }
        process.getOutputStream().close();
        assumeThat(process.waitFor(60, TimeUnit.SECONDS) && process.exitValue() == 0)
                .as("NumPy")
                .isTrue();
        try (var files = Files.list(folder)) {
            List<Path> paths = files.filter(p -> p.toString().endsWith(".npy")).toList();
            assertThat(paths).hasSize(34);
            for (Path path : paths) {
                NDArray x = NDArray.load(path);
                assertThat(x.allClose(NDArray.arange(24).reshape(2, 3, 4), 0, 0))
                        .as(path.toString())
                        .isTrue();
            }
        }
        try (Npz npz = Npz.open(folder.resolve("z.npz"))) {
            assertThat(npz.get("a").toInts()).startsWith(0, 1, 2, 3);
            assertThat(npz.get("b").sum().get()).isEqualTo(20);
        }
    }
}

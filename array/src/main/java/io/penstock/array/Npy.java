package io.penstock.array;

import io.penstock.runtime.HostMemory;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Reads and writes .npy files. Numbers in memory are little-endian, as on all machines that Penstock runs on. */
final class Npy {
    private static final int CHUNK = 1 << 16;
    /** Bytes that are brought to the host at a time when an array lies elsewhere. */
    private static final long SLAB = 16L << 20;

    private Npy() {}

    static NDArray load(Path path) {
        try (InputStream in = open(path)) {
            return read(new ByteSource(path.toString(), "", in, Files.size(path)));
        } catch (IOException e) {
            throw unreadable(path, e);
        }
    }

    static ArraySpace space(Path path) {
        try (InputStream in = open(path)) {
            NpyHeader header =
                    header(new ByteSource(path.toString(), "", new BufferedInputStream(in, 256), Files.size(path)));
            return new ArraySpace(header.shape(), header.element().dtype());
        } catch (IOException e) {
            throw unreadable(path, e);
        }
    }

    static NDArray loadSlab(Path path, int axis, long from, long to) {
        try (InputStream in = open(path)) {
            ByteSource source = new ByteSource(path.toString(), "", new BufferedInputStream(in, 256), Files.size(path));
            NpyHeader header = header(source);
            int k = Shapes.axis(axis, header.shape().size());
            long extent = header.shape().get(k);
            if (from < 0 || to < from || to > extent)
                throw new IndexOutOfBoundsException("slab " + from + " to " + to + " along axis " + k
                        + " does not lie within its extent " + extent + " in " + path);
            return elements(source, header, k, from, to);
        } catch (IOException e) {
            throw unreadable(path, e);
        }
    }

    /** Opens a file. Of pipes and devices the length is not known, and opening one may wait for ever. */
    private static InputStream open(Path path) throws IOException {
        if (Files.exists(path) && !Files.isRegularFile(path))
            throw new FileSystemException(path.toString(), null, "not a regular file");
        return Files.newInputStream(path);
    }

    private static ArrayFileException unreadable(Path path, IOException cause) {
        return ArrayFileException.unreadable(path.toString(), "byte 0", cause, "");
    }

    /** Reads an array and expects the source to end after it. */
    static NDArray read(ByteSource in) {
        NpyHeader header = header(in);
        NDArray array = header.shape().isEmpty()
                ? elements(in, new NpyHeader(header.element(), false, List.of(1L)), 0, 0, 1)
                        .reshape()
                : elements(in, header, 0, 0, header.shape().get(0));
        try {
            in.expectEnd();
            return array;
        } catch (ArrayFileException e) {
            array.close();
            throw e;
        }
    }

    /** The header, once the file is known to be of the size that it asks for. */
    private static NpyHeader header(ByteSource in) {
        NpyHeader header = NpyHeader.read(in);
        long bytes = header.size() * header.element().bytes();
        if (bytes != in.remaining())
            throw in.malformed(
                    in.position(),
                    "the file has " + in.remaining() + " bytes of data; expected " + bytes + " for shape "
                            + Shapes.describe(header.dims()));
        return header;
    }

    private static NDArray elements(ByteSource in, NpyHeader header, int axis, long from, long to) {
        long[] stored = header.dims();
        int k = header.fortran() ? stored.length - 1 - axis : axis;
        if (header.fortran()) reverse(stored);
        long[] shape = stored.clone();
        shape[k] = to - from;
        NDArray array = NDArray.onHost(header.element().dtype(), shape);
        boolean complete = false;
        try {
            fill(array, in, header.element(), stored, k, from);
            complete = true;
        } finally {
            if (!complete) array.close();
        }
        if (!header.fortran() || shape.length < 2) return array;
        NDArray ordered = array.transpose().copy();
        array.close();
        return ordered;
    }

    private static void reverse(long[] values) {
        for (int a = 0, b = values.length - 1; a < b; a++, b--) {
            long swap = values[a];
            values[a] = values[b];
            values[b] = swap;
        }
    }

    /** Reads the part from {@code from} along axis {@code k} of an array stored in C order. */
    private static void fill(NDArray array, ByteSource in, NpyElement element, long[] stored, int k, long from) {
        if (array.size() == 0) {
            in.skip(Shapes.size(stored) * element.bytes());
            return;
        }
        long inner = 1;
        for (int j = k + 1; j < stored.length; j++) inner *= stored[j];
        long run = array.dim(k) * inner;
        long before = from * inner * element.bytes();
        long after = (stored[k] * inner - run) * element.bytes() - before;
        for (long done = 0; done < array.size(); done += run) {
            in.skip(before);
            run(in, element, array.address() + done * array.dtype().bytes(), run);
            in.skip(after);
        }
        Alive.until(array);
    }

    private static void run(ByteSource in, NpyElement element, long address, long count) {
        byte[] chunk = new byte[(int) Math.min(CHUNK, count * element.bytes())];
        int most = chunk.length / element.bytes();
        for (long i = 0; i < count; i += most) {
            int n = (int) Math.min(most, count - i);
            in.read(chunk, n * element.bytes(), "the data");
            element.decode(
                    chunk, n, HostMemory.ALL, address + i * element.dtype().bytes());
        }
    }

    static void save(NDArray array, Path path) {
        try (OutputStream out = Files.newOutputStream(path)) {
            write(array, out);
        } catch (IOException e) {
            throw ArrayFileException.unwritable(path.toString(), e);
        }
    }

    /** How many bytes {@link #write} writes. */
    static long length(NDArray array) {
        return header(array).length + array.size() * array.dtype().bytes();
    }

    static void write(NDArray array, OutputStream out) throws IOException {
        out.write(header(array));
        NDArray source = array.contiguous();
        try {
            NDArray flat = source.reshape(source.size());
            long count = SLAB / source.dtype().bytes();
            for (long from = 0; from < flat.size(); from += count) {
                NDArray slab = flat.slice(0, from, Math.min(from + count, flat.size()));
                NDArray here = slab.readable();
                try {
                    writeSlab(here, out);
                } finally {
                    slab.doneWith(here);
                }
            }
        } finally {
            if (source != array) source.close();
        }
    }

    private static void writeSlab(NDArray source, OutputStream out) throws IOException {
        long bytes = source.size() * source.dtype().bytes();
        byte[] chunk = new byte[(int) Math.min(CHUNK, bytes)];
        for (long i = 0; i < bytes; i += chunk.length) {
            int n = (int) Math.min(chunk.length, bytes - i);
            MemorySegment.copy(HostMemory.ALL, ValueLayout.JAVA_BYTE, source.addressToRead() + i, chunk, 0, n);
            out.write(chunk, 0, n);
        }
        Alive.until(source);
    }

    /** The header of format version 1, padded so that the data begins at a multiple of 64 bytes. */
    private static byte[] header(NDArray array) {
        String text = "{'descr': '" + NpyElement.describe(array.dtype()) + "', 'fortran_order': False, 'shape': "
                + Shapes.describe(array.shape()) + ", }";
        int length = (10 + text.length() + 1 + 63) / 64 * 64;
        byte[] header = new byte[length];
        Arrays.fill(header, (byte) ' ');
        System.arraycopy(NpyHeader.MAGIC, 0, header, 0, 6);
        header[6] = 1;
        header[7] = 0;
        header[8] = (byte) (length - 10);
        header[9] = (byte) ((length - 10) >> 8);
        byte[] ascii = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(ascii, 0, header, 10, ascii.length);
        header[length - 1] = '\n';
        return header;
    }
}

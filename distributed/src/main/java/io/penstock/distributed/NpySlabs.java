package io.penstock.distributed;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.comm.Communicator;
import io.penstock.runtime.HostMemory;
import io.penstock.runtime.Scope;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * Writing one .npy file from all ranks: each writes its own part at its place, so that no rank ever holds the whole array.
 *
 * <p>The file appears under its name only once it is complete; until then it has the suffix {@code .part}.
 */
final class NpySlabs {
    private static final int ALIGNMENT = 64;
    private static final long CHUNK = 1L << 26;

    private NpySlabs() {}

    static void save(DistributedArray array, Path file) {
        Communicator ranks = array.space().ranks();
        Layout layout = array.space().layout();
        byte[] header = header(array.dtype(), layout.dims());
        Path part = file.resolveSibling(file.getFileName() + ".part");
        boolean first = ranks.rank() == 0;
        try (Scope _ = Scope.open()) {
            if (first) create(part, header, layout.size() * array.dtype().bytes());
            ranks.barrier();
            if (first || !layout.isReplicated()) write(part, header.length, layout, ranks.rank(), array.local());
            ranks.barrier();
            if (first) Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            ranks.barrier();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file + ": " + e, e);
        } finally {
            if (first) discard(part);
        }
    }

    /** Version 1.0 of the format, as NumPy's documentation of {@code numpy.lib.format} gives it, padded to 64 bytes. */
    private static byte[] header(DType dtype, long[] shape) {
        String dictionary =
                "{'descr': '" + descr(dtype) + "', 'fortran_order': False, 'shape': " + Layout.describe(shape) + ", }";
        int unpadded = 10 + dictionary.length() + 1;
        String padding = " ".repeat(Math.floorMod(-unpadded, ALIGNMENT));
        byte[] text = (dictionary + padding + "\n").getBytes(StandardCharsets.US_ASCII);
        byte[] header = new byte[10 + text.length];
        header[0] = (byte) 0x93;
        System.arraycopy("NUMPY".getBytes(StandardCharsets.US_ASCII), 0, header, 1, 5);
        header[6] = 1;
        header[8] = (byte) text.length;
        header[9] = (byte) (text.length >> 8);
        System.arraycopy(text, 0, header, 10, text.length);
        return header;
    }

    private static String descr(DType dtype) {
        return switch (dtype) {
            case U8 -> "|u1";
            case I32 -> "<i4";
            case I64 -> "<i8";
            case F32 -> "<f4";
            case F64 -> "<f8";
            case C64 -> "<c8";
            case C128 -> "<c16";
        };
    }

    private static void create(Path part, byte[] header, long bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(
                part, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            writeFully(channel, ByteBuffer.wrap(header), 0);
            if (bytes > 0) writeFully(channel, ByteBuffer.allocate(1), header.length + bytes - 1);
        }
    }

    /** Writes a rank's block: one contiguous run of the file for each index in front of the axis. */
    private static void write(Path part, long headerBytes, Layout layout, int rank, NDArray local) throws IOException {
        NDArray dense = local.isContiguous() ? local : local.copy();
        long bytes = dense.size() * dense.dtype().bytes();
        if (bytes == 0) return;
        long runs = 1;
        long skipped = 0;
        long stride = bytes;
        if (!layout.isReplicated()) {
            for (int k = 0; k < layout.axis(); k++) runs *= layout.dim(k);
            long row = bytes / runs / layout.block(rank);
            skipped = layout.start(rank) * row;
            stride = layout.dim(layout.axis()) * row;
        }
        try (FileChannel channel = FileChannel.open(part, StandardOpenOption.WRITE)) {
            long run = bytes / runs;
            for (long i = 0; i < runs; i++)
                for (long at = 0; at < run; at += CHUNK) {
                    long length = Math.min(CHUNK, run - at);
                    ByteBuffer piece = HostMemory.ALL
                            .asSlice(dense.address() + i * run + at, length)
                            .asByteBuffer();
                    writeFully(channel, piece, headerBytes + i * stride + skipped + at);
                }
        } finally {
            Reference.reachabilityFence(dense);
        }
    }

    private static void writeFully(FileChannel channel, ByteBuffer bytes, long position) throws IOException {
        while (bytes.hasRemaining()) position += channel.write(bytes, position);
    }

    /** Removes what is left of a file that could not be completed; after a success there is nothing to remove. */
    private static void discard(Path part) {
        try {
            Files.deleteIfExists(part);
        } catch (IOException e) {
            System.getLogger("io.penstock.distributed")
                    .log(System.Logger.Level.WARNING, "cannot remove the unfinished file " + part, e);
        }
    }
}

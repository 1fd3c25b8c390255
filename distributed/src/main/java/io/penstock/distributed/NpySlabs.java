package io.penstock.distributed;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.comm.Communicator;
import io.penstock.comm.ReduceOp;
import io.penstock.runtime.Device;
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
import java.nio.file.StandardOpenOption;

/**
 * Writing one .npy file from all ranks: each writes its own part at its place, so that no rank ever holds the whole array.
 *
 * <p>The file appears under its name only once it is complete; until then it has the suffix {@code .part}.
 */
final class NpySlabs {
    private static final int ALIGNMENT = 64;
    private static final long CHUNK = 1L << 26;
    /** Bytes of the reason of a failure that travel to the other ranks. */
    private static final int MOST_WORDS = 512;

    private NpySlabs() {}

    static void save(DistributedArray array, Path file) {
        Communicator ranks = array.space().ranks();
        Layout layout = array.space().layout();
        byte[] header = header(array.dtype(), layout.dims());
        Path name = file.getFileName();
        if (name == null || Files.isDirectory(file))
            throw new IllegalArgumentException("file is " + file + ", a folder; expected the name of a file");
        Path part = file.resolveSibling(name + ".part");
        boolean first = ranks.rank() == 0;
        try (Scope _ = Scope.open()) {
            step(
                    ranks,
                    file,
                    first,
                    () -> create(part, header, layout.size() * array.dtype().bytes()));
            boolean writes = first || !layout.isReplicated();
            step(ranks, file, writes, () -> write(part, header.length, layout, ranks.rank(), array.local()));
            step(ranks, file, first, () -> Files.move(part, file, ATOMIC_MOVE, REPLACE_EXISTING));
        } finally {
            if (first) discard(part);
        }
    }

    /** Work on a file. */
    private interface Work {
        void run() throws IOException;
    }

    /** Does a step on those ranks that take part, and returns once it is done, or throws on all ranks when it failed on one. */
    private static void step(Communicator ranks, Path file, boolean takesPart, Work work) {
        IOException failure = null;
        if (takesPart)
            try {
                work.run();
            } catch (IOException e) {
                failure = e;
            }
        double[] failed = {failure == null ? -1 : ranks.rank()};
        ranks.allReduce(failed, 1, ReduceOp.MAX);
        if (failed[0] < 0) return;
        String problem = "cannot write " + file + ": " + told(ranks, (int) failed[0], String.valueOf(failure));
        throw new UncheckedIOException(problem, failure != null ? failure : new IOException(problem));
    }

    /** What one rank has to say, on every rank, cut where it is long. */
    private static String told(Communicator ranks, int root, String words) {
        NDArray text = NDArray.empty(Device.jvm(), DType.U8, MOST_WORDS);
        text.fill(0);
        if (ranks.rank() == root) {
            byte[] bytes = words.getBytes(StandardCharsets.UTF_8);
            for (int i = 0; i < Math.min(bytes.length, MOST_WORDS); i++) text.set(bytes[i] & 0xff, i);
        }
        ranks.broadcast(text, root);
        byte[] bytes = new byte[MOST_WORDS];
        for (int i = 0; i < MOST_WORDS; i++) bytes[i] = (byte) (int) text.get(i);
        return new String(bytes, StandardCharsets.UTF_8).replace("\0", "");
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
        NDArray dense = local.toHost().contiguous();
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
                            .asSlice(dense.addressToRead() + i * run + at, length)
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

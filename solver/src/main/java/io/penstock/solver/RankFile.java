package io.penstock.solver;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.runtime.Device;
import io.penstock.runtime.HostMemory;
import io.penstock.runtime.Scope;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * What one rank writes of a checkpoint: a head with the numbers, the places of its slabs and their checksums, and the slabs. The
 * checksum of the head stands in the {@link Manifest}, so one that belongs to another checkpoint is never taken for it.
 */
final class RankFile {
    private static final long MAGIC = 0x50454e53544f434bL;
    private static final int VERSION = 1;
    private static final int MOST_HEAD = 1 << 30;
    private static final long CHUNK = 1L << 24;

    /** Where a slab lies in a file. */
    private record Place(Cut cut, long offset, long bytes, int checksum) {}

    private final Path file;
    private final String solver;
    private final double[] numbers;
    private final History history;
    private final List<Place> places;

    private RankFile(Path file, String solver, double[] numbers, History history, List<Place> places) {
        this.file = file;
        this.solver = solver;
        this.numbers = numbers;
        this.history = history;
        this.places = places;
    }

    /** What the head of a file is recognised by: its length and its checksum. */
    record Mark(int bytes, int checksum) {}

    // Writing ------------------------------------------------------------------------------------------------------

    /** Writes a rank's part; it is on the disk, under its name, when this returns. */
    static Mark write(Path file, Snapshot snapshot, boolean writesReplicated) throws IOException {
        List<Slab> slabs = Slab.of(snapshot.vectors());
        Path unfinished = file.resolveSibling(file.getFileName() + ".part");
        try (Scope _ = Scope.open();
                FileChannel channel = FileChannel.open(
                        unfinished,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE)) {
            List<NDArray> dense = new ArrayList<>();
            for (Slab slab : slabs) dense.add(slab.array().toHost().contiguous());
            byte[] head = head(snapshot, slabs, dense, writesReplicated);
            write(channel, ByteBuffer.allocate(8).putInt(head.length).putInt(checksum(head)));
            write(channel, ByteBuffer.wrap(head).position(head.length));
            for (int i = 0; i < slabs.size(); i++)
                if (writesReplicated || !slabs.get(i).cut().isReplicated()) write(channel, dense.get(i));
            channel.force(true);
            Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            return new Mark(head.length, checksum(head));
        }
    }

    private static byte[] head(Snapshot snapshot, List<Slab> slabs, List<NDArray> dense, boolean writesReplicated)
            throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeLong(MAGIC);
        out.writeInt(VERSION);
        out.writeUTF(snapshot.solver());
        out.writeInt(snapshot.numbers().length);
        for (double number : snapshot.numbers()) out.writeDouble(number);
        History history = snapshot.history();
        out.writeInt(history.iterations() + 1);
        for (List<Double> norms : List.of(history.residualNorms(), history.gradientNorms(), history.costs()))
            for (double norm : norms) out.writeDouble(norm);
        out.writeInt(slabs.size());
        for (int i = 0; i < slabs.size(); i++) {
            Slab slab = slabs.get(i);
            boolean here = writesReplicated || !slab.cut().isReplicated();
            write(out, slab.cut());
            out.writeLong(here ? slab.bytes() : 0);
            out.writeInt(here ? checksum(dense.get(i)) : 0);
        }
        return bytes.toByteArray();
    }

    private static void write(FileChannel channel, NDArray dense) throws IOException {
        try {
            for (ByteBuffer piece : pieces(dense)) write(channel, piece.position(piece.limit()));
        } finally {
            Reference.reachabilityFence(dense);
        }
    }

    private static void write(DataOutputStream out, Cut cut) throws IOException {
        out.writeUTF(cut.dtype().name());
        out.writeInt(cut.shape().length);
        for (long extent : cut.shape()) out.writeLong(extent);
        out.writeInt(cut.axis());
        out.writeLong(cut.start());
        out.writeLong(cut.end());
    }

    private static Cut readCut(DataInputStream in) throws IOException {
        DType dtype = DType.valueOf(in.readUTF());
        long[] shape = new long[in.readInt()];
        for (int k = 0; k < shape.length; k++) shape[k] = in.readLong();
        return new Cut(dtype, shape, in.readInt(), in.readLong(), in.readLong());
    }

    /** The elements of a contiguous array, in pieces that buffers can hold. */
    private static List<ByteBuffer> pieces(NDArray dense) {
        List<ByteBuffer> pieces = new ArrayList<>();
        long bytes = dense.size() * dense.dtype().bytes();
        long address = bytes == 0 ? 0 : dense.addressToRead();
        for (long at = 0; at < bytes; at += CHUNK)
            pieces.add(HostMemory.ALL
                    .asSlice(address + at, Math.min(CHUNK, bytes - at))
                    .asByteBuffer());
        return pieces;
    }

    private static int checksum(byte[] bytes) {
        CRC32C sum = new CRC32C();
        sum.update(bytes);
        return (int) sum.getValue();
    }

    private static int checksum(NDArray dense) {
        CRC32C sum = new CRC32C();
        try {
            pieces(dense).forEach(sum::update);
            return (int) sum.getValue();
        } finally {
            Reference.reachabilityFence(dense);
        }
    }

    private static void write(FileChannel channel, ByteBuffer filled) throws IOException {
        filled.flip();
        while (filled.hasRemaining()) channel.write(filled);
    }

    // Reading ------------------------------------------------------------------------------------------------------

    /**
     * Opens a rank's part.
     *
     * @throws IOException when it cannot be read, or is not the one that its mark tells of
     */
    static RankFile open(Path file, Mark mark) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            ByteBuffer start = read(channel, 0, 8, file);
            int length = start.getInt();
            if (length != mark.bytes() || start.getInt() != mark.checksum() || length > MOST_HEAD)
                throw new IOException(file + " belongs to another checkpoint");
            byte[] head = read(channel, 8, length, file).array();
            if (checksum(head) != mark.checksum()) throw new IOException(file + " is damaged: its head was changed");
            return parse(file, head);
        }
    }

    private static RankFile parse(Path file, byte[] head) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(head));
        if (in.readLong() != MAGIC || in.readInt() != VERSION)
            throw new IOException(file + " is no part of a checkpoint that this version reads");
        String solver = in.readUTF();
        double[] numbers = doubles(in, in.readInt());
        int norms = in.readInt();
        History history = new History(list(in, norms), list(in, norms), list(in, norms));
        int count = in.readInt();
        List<Place> places = new ArrayList<>();
        long offset = 8L + head.length;
        for (int i = 0; i < count; i++) {
            Cut cut = readCut(in);
            long bytes = in.readLong();
            places.add(new Place(cut, offset, bytes, in.readInt()));
            offset += bytes;
        }
        return new RankFile(file, solver, numbers, history, places);
    }

    private static double[] doubles(DataInputStream in, int count) throws IOException {
        double[] values = new double[count];
        for (int i = 0; i < count; i++) values[i] = in.readDouble();
        return values;
    }

    private static List<Double> list(DataInputStream in, int count) throws IOException {
        return Arrays.stream(doubles(in, count)).boxed().toList();
    }

    private static ByteBuffer read(FileChannel channel, long position, int bytes, Path file) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(bytes);
        fill(channel, position, buffer, file);
        return buffer.flip();
    }

    private static void fill(FileChannel channel, long position, ByteBuffer buffer, Path file) throws IOException {
        long at = position;
        while (buffer.hasRemaining()) {
            int read = channel.read(buffer, at);
            if (read < 0) throw new IOException(file + " is cut short");
            at += read;
        }
    }

    String solver() {
        return solver;
    }

    double[] numbers() {
        return numbers;
    }

    History history() {
        return history;
    }

    /**
     * Copies what this file has of some slabs into them.
     *
     * @throws IOException when the file cannot be read or its content was changed
     * @throws CheckpointException when it is of vectors of other shapes, types or cuts
     */
    void read(List<Slab> slabs) throws IOException {
        if (slabs.size() != places.size())
            throw new CheckpointException(
                    file + " holds " + places.size() + " arrays; expected " + slabs.size() + " for this problem", null);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            for (int i = 0; i < places.size(); i++) {
                Cut wanted = slabs.get(i).cut();
                Cut here = places.get(i).cut();
                if (!wanted.isOfSameVector(here))
                    throw new CheckpointException(
                            file + " holds as array " + i + " " + here + "; expected " + wanted + " for this problem",
                            null);
                if (places.get(i).bytes() > 0) read(channel, places.get(i), slabs.get(i));
            }
        }
    }

    private void read(FileChannel channel, Place place, Slab into) throws IOException {
        Cut here = place.cut();
        long from = Math.max(here.start(), into.cut().start());
        long to = Math.min(here.end(), into.cut().end());
        if (!here.isReplicated() && from >= to) return;
        try (Scope _ = Scope.open()) {
            NDArray slab = NDArray.empty(Device.jvm(), here.dtype(), here.local());
            long at = place.offset();
            for (ByteBuffer piece : pieces(slab)) {
                at += piece.remaining();
                fill(channel, at - piece.remaining(), piece, file);
            }
            if (checksum(slab) != place.checksum())
                throw new IOException(file + " is damaged: its elements were changed");
            if (here.isReplicated()) into.array().assign(slab);
            else
                into.array()
                        .slice(
                                here.axis(),
                                from - into.cut().start(),
                                to - into.cut().start())
                        .assign(slab.slice(here.axis(), from - here.start(), to - here.start()));
        }
    }
}

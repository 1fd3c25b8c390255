package io.penstock.runtime;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * A copy between memories of which no queue reaches both: piece by piece through pinned memory, by a queue that reaches the one
 * and a queue that reaches the other. Where the drivers of the two know nothing of each other's pinned memory there is some of
 * each, and the host copies between. That the stages of a piece follow each other, and pieces wait for the memory that they share
 * with earlier ones, is the ledger's doing.
 */
final class StagedCopy {
    private static final long PIECE = 4L << 20;
    /** Pieces under way at the same time: one comes in, one goes out, one is ready. */
    private static final int STAGES = 3;

    private final Buffer from;
    private final Box source;
    private final Buffer to;
    private final Box target;
    private final Queue in;
    private final Queue out;

    StagedCopy(Queue queue, Buffer from, Box source, Buffer to, Box target) {
        this.from = from;
        this.source = source;
        this.to = to;
        this.target = target;
        this.in = queueFor(queue, from);
        this.out = queueFor(queue, to);
    }

    private static Queue queueFor(Queue queue, Buffer buffer) {
        if (queue.reaches(buffer)) return queue;
        Device device = buffer.device();
        Queue other = device.equals(Device.jvm()) && queue instanceof DriverQueue ? device.newQueue() : device.queue();
        if (!other.reaches(buffer))
            throw new IllegalStateException(other + " does not reach " + buffer.kind() + " memory of its own device");
        return other;
    }

    Ticket submit() {
        List<Piece> pieces = pieces();
        List<Stage> stages = new ArrayList<>();
        try {
            for (int i = 0; i < Math.min(STAGES, pieces.size()); i++) stages.add(new Stage());
            ArrayDeque<Integer> inside = new ArrayDeque<>();
            Ticket last = null;
            for (int i = 0; i < pieces.size(); i++) {
                stages.get(i % stages.size()).bringIn(pieces.get(i));
                inside.add(i);
                if (inside.size() < stages.size()) continue;
                int k = inside.remove();
                last = stages.get(k % stages.size()).takeOut(pieces.get(k));
            }
            for (int k : inside) last = stages.get(k % stages.size()).takeOut(pieces.get(k));
            if (last == null) throw new IllegalStateException("a copy of no pieces");
            return last;
        } finally {
            stages.forEach(Stage::close);
        }
    }

    /** Room for a piece on its way. */
    private final class Stage implements AutoCloseable {
        private final Buffer entry;
        /** The same as the entry where one memory serves both queues. */
        private final Buffer exit;
        /** Copies from the entry to the exit. */
        private final Queue between = Device.jvm().newQueue();

        Stage() {
            entry = pinned(in instanceof DriverQueue ? in.device() : out.device());
            try {
                exit = out.reaches(entry) ? entry : pinned(out.device());
            } catch (RuntimeException | Error e) {
                entry.close();
                throw e;
            }
        }

        private Buffer pinned(Device device) {
            return Scope.outside(() -> device.allocate(Math.min(PIECE, source.bytes()), MemoryKind.PINNED));
        }

        void bringIn(Piece piece) {
            in.copy(from, piece.of(source), entry, piece.packed());
            if (exit != entry) between.copy(entry, piece.packed(), exit, piece.packed());
        }

        Ticket takeOut(Piece piece) {
            return out.copy(exit, piece.packed(), to, piece.of(target));
        }

        @Override
        public void close() {
            entry.close();
            if (exit != entry) exit.close();
        }
    }

    /** Pieces that fit a stage: parts of rows where these are long, else rows. */
    private List<Piece> pieces() {
        List<Piece> pieces = new ArrayList<>();
        if (source.isContiguous() && target.isContiguous()) {
            for (long at = 0; at < source.bytes(); at += PIECE)
                pieces.add(new Piece(0, 0, at, Math.min(PIECE, source.bytes() - at), 1));
            return pieces;
        }
        long length = Math.min(source.rowBytes(), PIECE);
        long count = PIECE / length;
        for (long plane = 0; plane < source.planes(); plane++)
            for (long row = 0; row < source.rows(); row += count)
                for (long at = 0; at < source.rowBytes(); at += length)
                    pieces.add(new Piece(
                            plane,
                            row,
                            at,
                            Math.min(length, source.rowBytes() - at),
                            Math.min(count, source.rows() - row)));
        return pieces;
    }

    /** Some rows of a plane, or a part of one row. */
    private record Piece(long plane, long row, long at, long bytes, long rows) {
        Box of(Box box) {
            long offset = box.offset() + plane * box.planeStride() + row * box.rowStride() + at;
            return Box.rows(offset, bytes, rows, box.rowStride());
        }

        Box packed() {
            return Box.rows(0, bytes, rows, bytes);
        }
    }
}

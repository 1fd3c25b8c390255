package io.penstock.solver;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.array.Vector;
import io.penstock.comm.Communicator;
import io.penstock.comm.ReduceOp;
import io.penstock.runtime.Device;
import io.penstock.runtime.Scope;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A folder in which ranks keep the state of a solver, so that a job that ended before its time can go on.
 *
 * <p>Each rank writes its own part of the vectors, with checksums. Only when all parts are on the disk is the generation made the
 * valid one, by replacing one small file at once: a job may die at any moment, and what it leaves is the generation before or the
 * new one, never a mixture. The generation before the valid one is kept, and read when the valid one turns out to be damaged.
 *
 * <p>A solver goes on with the same bits on the same number of ranks. On another number each rank reads what it needs of the parts
 * of others, so all must see the folder.
 */
public final class Checkpoints {
    private final Path folder;
    private final @Nullable Communicator ranks;

    private Checkpoints(Path folder, @Nullable Communicator ranks) {
        this.folder = Objects.requireNonNull(folder, "folder is null");
        this.ranks = ranks;
    }

    /** The checkpoints of a solver that all of {@code ranks} run, in a folder of its own, which need not exist. */
    public static Checkpoints in(Path folder, Communicator ranks) {
        return new Checkpoints(folder, Objects.requireNonNull(ranks, "ranks is null"));
    }

    /** The checkpoints of a solver that this process runs alone, in a folder of its own, which need not exist. */
    public static Checkpoints in(Path folder) {
        return new Checkpoints(folder, null);
    }

    /** The folder. */
    public Path folder() {
        return folder;
    }

    private boolean isFirst() {
        return ranks == null || ranks.rank() == 0;
    }

    private int rank() {
        return ranks == null ? 0 : ranks.rank();
    }

    private int size() {
        return ranks == null ? 1 : ranks.size();
    }

    // Saving -------------------------------------------------------------------------------------------------------

    /** Writes a new generation; called by every rank. Three reductions beside the files. */
    void save(Snapshot snapshot) {
        long next = newest() + 1;
        double[] marks = new double[3 * size()];
        @Nullable IOException failure = null;
        try {
            Files.createDirectories(Manifest.generation(folder, next));
            RankFile.Mark mark = RankFile.write(Manifest.part(folder, next, rank()), snapshot, isFirst());
            marks[3 * rank()] = mark.bytes();
            marks[3 * rank() + 1] = mark.checksum();
        } catch (IOException e) {
            failure = e;
            marks[3 * rank() + 2] = 1;
        }
        sum(marks);
        List<RankFile.Mark> all = new ArrayList<>();
        for (int r = 0; r < size(); r++) {
            if (marks[3 * r + 2] != 0) throw failed("written", r, failure);
            all.add(new RankFile.Mark((int) marks[3 * r], (int) marks[3 * r + 1]));
        }
        publish(new Manifest(next, all));
    }

    private void publish(Manifest manifest) {
        onFirst(() -> {
            manifest.publish(folder);
            removeOthers();
        });
    }

    /** Work on files. */
    private interface Work {
        void run() throws IOException;
    }

    /** Does something on rank 0, and throws on every rank when it fails. */
    private void onFirst(Work work) {
        double[] failed = {0};
        @Nullable IOException failure = null;
        if (isFirst())
            try {
                work.run();
            } catch (IOException e) {
                failure = e;
                failed[0] = 1;
            }
        sum(failed);
        if (failed[0] != 0) throw failed("written", 0, failure);
    }

    /** Removes generations that no manifest tells of any more, those that were never completed included. */
    private void removeOthers() throws IOException {
        List<Path> kept = new ArrayList<>();
        for (Path file : List.of(Manifest.current(folder), Manifest.previous(folder)))
            if (Files.exists(file))
                kept.add(Manifest.generation(
                        folder, Manifest.parse(Files.readString(file), file).generation()));
        for (Path generation : generations()) {
            if (kept.contains(generation)) continue;
            try (Stream<Path> parts = Files.list(generation)) {
                for (Path part : parts.toList()) Files.deleteIfExists(part);
            }
            Files.deleteIfExists(generation);
        }
    }

    private List<Path> generations() throws IOException {
        if (!Files.isDirectory(folder)) return List.of();
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.filter(entry -> Manifest.numberOf(entry) >= 0).toList();
        }
    }

    private void sum(double[] values) {
        if (ranks != null) ranks.allReduce(values, values.length, ReduceOp.SUM);
    }

    private CheckpointException failed(String what, int rank, @Nullable IOException own) {
        String reason = own != null ? ": " + own : "; its own message says why";
        return new CheckpointException(
                "the checkpoint in " + folder + " cannot be " + what + " on rank " + rank + reason, own);
    }

    /** The number of the newest generation, complete or not; 0 when there is none. The same on every rank. */
    private long newest() {
        double[] newest = {0, 0};
        @Nullable IOException failure = null;
        if (isFirst())
            try {
                newest[0] = newestHere();
            } catch (IOException e) {
                failure = e;
                newest[1] = 1;
            }
        sum(newest);
        if (newest[1] != 0) throw failed("written", 0, failure);
        return (long) newest[0];
    }

    // Loading ------------------------------------------------------------------------------------------------------

    /**
     * Fills vectors from the newest generation that is whole; called by every rank.
     *
     * @return the numbers and the history that go with them; empty when there is no checkpoint
     * @throws CheckpointException when there is one, but it cannot be read or is of another solver or problem
     */
    Optional<Snapshot> load(String solver, List<? extends Vector<?>> into) {
        @Nullable CheckpointException problem = null;
        for (Path file : List.of(Manifest.current(folder), Manifest.previous(folder))) {
            try {
                Optional<Manifest> manifest = manifest(file);
                if (manifest.isEmpty()) continue;
                Snapshot read = read(manifest.get(), solver, into);
                if (problem != null) repair(manifest.get());
                else tellSkipped(manifest.get().generation());
                return Optional.of(read);
            } catch (CheckpointException e) {
                if (problem == null) problem = e;
                else problem.addSuppressed(e);
            }
        }
        if (problem != null) throw problem;
        tellSkipped(0);
        return Optional.empty();
    }

    /** Says on rank 0 that a generation newer than the one that is read was never completed; 0 when none is read. */
    private void tellSkipped(long read) {
        if (!isFirst()) return;
        long newest;
        try {
            newest = newestHere();
        } catch (IOException e) {
            return; // Whoever writes there next says what is wrong with the folder.
        }
        if (newest > read)
            System.getLogger("io.penstock.solver")
                    .log(
                            System.Logger.Level.WARNING,
                            "generation " + newest + " of the checkpoint in " + folder
                                    + " was not completed, as by a job that ended while it was written; "
                                    + (read == 0 ? "there is none before it" : "going on from generation " + read));
    }

    private long newestHere() throws IOException {
        long newest = 0;
        for (Path generation : generations()) newest = Math.max(newest, Manifest.numberOf(generation));
        return newest;
    }

    /** The generation before the damaged one becomes the valid one again. */
    private void repair(Manifest whole) {
        if (isFirst())
            System.getLogger("io.penstock.solver")
                    .log(
                            System.Logger.Level.WARNING,
                            "the newest checkpoint in " + folder
                                    + " is damaged; going on from the one before, generation " + whole.generation());
        onFirst(() -> whole.restore(folder));
    }

    /** A manifest that rank 0 reads, on every rank; empty when there is none. */
    private Optional<Manifest> manifest(Path file) {
        byte[] bytes = {};
        @Nullable IOException failure = null;
        double[] head = {0, 0};
        if (isFirst() && Files.exists(file))
            try {
                Manifest.parse(Files.readString(file), file);
                bytes = Files.readAllBytes(file);
                head[0] = bytes.length;
            } catch (IOException e) {
                failure = e;
                head[1] = 1;
            }
        sum(head);
        if (head[1] != 0) throw failed("read", 0, failure);
        if (head[0] == 0) return Optional.empty();
        try {
            return Optional.of(Manifest.parse(told(bytes, (int) head[0]), file));
        } catch (IOException e) {
            throw new IllegalStateException("a manifest changed on its way", e);
        }
    }

    private String told(byte[] bytes, int length) {
        if (ranks == null) return new String(bytes, StandardCharsets.US_ASCII);
        try (Scope _ = Scope.open()) {
            NDArray text = NDArray.empty(Device.jvm(), DType.U8, length);
            for (int i = 0; i < bytes.length; i++) text.set(bytes[i], i);
            ranks.broadcast(text, 0);
            byte[] received = new byte[length];
            for (int i = 0; i < length; i++) received[i] = (byte) text.get(i);
            return new String(received, StandardCharsets.US_ASCII);
        }
    }

    private Snapshot read(Manifest manifest, String solver, List<? extends Vector<?>> into) {
        double[] failed = {-1};
        @Nullable Exception failure = null;
        @Nullable Snapshot result = null;
        try {
            List<Slab> slabs = Slab.of(into);
            for (int r = 0; r < manifest.marks().size(); r++) {
                Path file = Manifest.part(folder, manifest.generation(), r);
                RankFile part = RankFile.open(file, manifest.marks().get(r));
                if (!part.solver().equals(solver))
                    throw new CheckpointException(
                            file + " is of the solver " + part.solver() + "; expected " + solver, null);
                part.read(slabs);
                result = new Snapshot(solver, into, part.numbers(), part.history());
            }
        } catch (IOException | CheckpointException e) {
            failure = e;
            failed[0] = rank();
        }
        if (ranks != null) ranks.allReduce(failed, 1, ReduceOp.MAX);
        if (failed[0] >= 0 || result == null) {
            String reason =
                    failure != null ? String.valueOf(failure.getMessage()) : "rank " + (int) failed[0] + " cannot";
            throw new CheckpointException("the checkpoint in " + folder + " cannot be read: " + reason, failure);
        }
        return result;
    }
}

package io.penstock.cli.poststack;

import io.penstock.array.NDArray;
import io.penstock.cli.progress.Progress;
import io.penstock.comm.Communicator;
import io.penstock.comm.Ranks;
import io.penstock.comm.RanksOptions;
import io.penstock.comm.ReduceOp;
import io.penstock.comm.Traffic;
import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.RankDevice;
import io.penstock.runtime.Device;
import io.penstock.solver.Iteration;
import io.penstock.solver.Observer;
import io.penstock.solver.Solution;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The whole job: section, background, data, three inversions, and the files that tell about them. */
final class Job {
    private final Configuration how;
    private final Restart restart;
    private final RanksOptions options;
    private final Path folder;
    private final boolean quiet;
    private final PrintWriter out;

    /**
     * A job.
     *
     * @param restart where it saves how far it has come
     * @param options how the ranks run
     * @param folder where the files go
     * @param quiet whether to tell nothing while the solvers run
     * @param out where the final table goes
     */
    Job(Configuration how, Restart restart, RanksOptions options, Path folder, boolean quiet, PrintWriter out) {
        this.how = how;
        this.restart = restart;
        this.options = options;
        this.folder = folder;
        this.quiet = quiet;
        this.out = out;
    }

    /**
     * Does the job.
     *
     * @throws IOException when the data cannot be read or a result cannot be written
     */
    void run() throws IOException {
        restart.check(how);
        Section section = how.data() == null ? Sections.made(how) : Sections.read(how.data(), how);
        createFolder();
        NDArray smooth = Smoothing.of(section.model(), how.smoothTraces(), how.smoothSamples());
        Ranks.run(how.ranks(), options, ranks -> {
            if (ranks.rank() == 0) {
                section.notes().forEach(out::println);
                restart.record(how);
            }
            ranks.barrier();
            Device device = RankDevice.of(ranks, how.device());
            Communicator group = device.equals(Device.jvm()) ? ranks : Communicator.of(ranks, device);
            run(group, device, section, smooth);
            if (!group.equals(ranks)) group.close();
        });
    }

    private void createFolder() throws IOException {
        try {
            Files.createDirectories(folder);
        } catch (FileAlreadyExistsException e) {
            throw new IllegalArgumentException("--out is " + folder + ", which is a file; expected a folder", e);
        } catch (FileSystemException e) {
            throw new IllegalArgumentException(
                    "--out is " + folder + ", a folder that cannot be created ("
                            + e.getClass().getSimpleName() + ")",
                    e);
        }
    }

    private void run(Communicator ranks, Device device, Section section, NDArray smooth) throws IOException {
        Problem problem = Problem.of(ranks, device, section, smooth, how);
        Map<Inversion, Outcome> outcomes = new EnumMap<>(Inversion.class);
        for (Inversion inversion : Inversion.values()) outcomes.put(inversion, invert(ranks, problem, inversion));
        new Report(how, folder, section, out).write(ranks, problem, outcomes);
    }

    private Outcome invert(Communicator ranks, Problem problem, Inversion inversion) {
        try (Watch watch = new Watch(inversion, ranks.rank())) {
            Iteration<DistributedArray> iteration =
                    inversion.begin(problem, how, watch, restart.of(inversion, ranks), restart);
            Traffic before = ranks.traffic();
            long start = System.nanoTime();
            while (iteration.step()) {}
            double seconds = (System.nanoTime() - start) * 1e-9;
            Traffic sent = total(ranks, ranks.traffic().since(before));
            Solution<DistributedArray> solution = iteration.run();
            return new Outcome(solution, relativeError(solution.x(), problem.model()), seconds, sent);
        }
    }

    private static Traffic total(Communicator ranks, Traffic own) {
        double[] sums = {own.messages(), own.bytes()};
        ranks.allReduce(sums, sums.length, ReduceOp.SUM);
        return new Traffic((long) sums[0], (long) sums[1]);
    }

    /** {@code |x - reference| / |reference|}; {@code |x|} where the reference is zero. */
    static double relativeError(DistributedArray x, DistributedArray reference) {
        try (DistributedArray difference = x.copy()) {
            difference.axpy(-1, reference);
            double norm = reference.norm();
            return difference.norm() / (norm == 0 ? 1 : norm);
        }
    }

    /** Shows on rank 0 how far a solver is. */
    private final class Watch implements Observer<DistributedArray>, AutoCloseable {
        private final @Nullable Progress progress;

        Watch(Inversion inversion, int rank) {
            progress = quiet || rank != 0 ? null : Progress.of(inversion.key(), how.iterations());
        }

        @Override
        public Verdict observe(io.penstock.solver.Progress<DistributedArray> at) {
            if (progress != null) progress.step(at.iteration(), String.format("residual %.3e", at.residualNorm()));
            return Verdict.CONTINUE;
        }

        @Override
        public void close() {
            if (progress != null) progress.close();
        }
    }
}

package io.penstock.cli.mpi;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.comm.Communicator;
import io.penstock.comm.Ranks;
import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.DistributedSpace;
import io.penstock.distributed.Layout;
import io.penstock.operator.Laplacian;
import io.penstock.operator.LinearOperator;
import io.penstock.solver.Cgls;
import io.penstock.solver.CglsIteration;
import io.penstock.solver.Checkpoints;
import java.nio.file.Path;
import java.util.Optional;

/** An inversion that saves its state, and that trouble strikes: as a program for threads, or as one rank of a job. */
final class TroubledProgram {
    private static final int ITERATIONS = 40;

    private TroubledProgram() {}

    /** Runs as a rank; the arguments are the folder, how often to save, and the trouble. */
    public static void main(String[] args) {
        Ranks.run(new String[0], ranks -> {
            Trouble trouble = Trouble.parse(args[2]);
            trouble.begin(ranks.rank());
            run(ranks, Path.of(args[0]), Integer.parseInt(args[1]), trouble);
            // Whoever is struck late must not find everybody gone.
            long started = System.nanoTime();
            while (true) {
                trouble.look(ranks.rank(), started - (1L << 50));
                ranks.barrier();
            }
        });
    }

    /** Solves, from where an earlier run was; returns the solution. */
    static NDArray run(Communicator ranks, Path folder, int every, Trouble trouble) {
        long started = System.nanoTime();
        DistributedSpace space = new DistributedSpace(ranks, Layout.rows(ranks.size(), 23, 7), DType.F64);
        LinearOperator<DistributedArray, DistributedArray> laplacian = Laplacian.of(space);
        LinearOperator<DistributedArray, DistributedArray> troubled = new LinearOperator<>(space, space) {
            @Override
            protected void applyForward(DistributedArray x, DistributedArray y) {
                trouble.look(ranks.rank(), started);
                laplacian.forward(x, y);
            }

            @Override
            protected void applyAdjoint(DistributedArray y, DistributedArray x) {
                trouble.look(ranks.rank(), started);
                laplacian.adjoint(y, x);
            }
        };
        Checkpoints files = Checkpoints.in(folder, ranks);
        Cgls<DistributedArray, DistributedArray> cgls = Cgls.of(troubled, space.random(3))
                .damping(0.01)
                .iterations(ITERATIONS)
                .checkpoints(files, every);
        Optional<CglsIteration<DistributedArray, DistributedArray>> saved = cgls.resume(files);
        try (CglsIteration<DistributedArray, DistributedArray> iteration = saved.orElseGet(cgls::begin)) {
            while (iteration.step()) {}
            return iteration.x().allGather();
        }
    }
}

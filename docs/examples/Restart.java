import io.penstock.comm.Ranks;
import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.DistributedSpace;
import io.penstock.operator.Laplacian;
import io.penstock.operator.LinearOperator;
import io.penstock.solver.Cgls;
import io.penstock.solver.Checkpoints;
import io.penstock.solver.Observer.Verdict;
import java.nio.file.Path;
import java.util.function.BiConsumer;

/** An inversion in two goes: an observer ends the first one, and the second goes on from what the first has saved. */
public class Restart {
    public static void main(String[] args) {
        var file = Path.of(args.length > 0 ? args[0] : "restart.npy");
        Ranks.run(args, ranks -> { // as many as "--ranks N" or mpirun says, else one
            var space = DistributedSpace.rows(ranks, 60, 40);
            var weights = space.fromFunction(at -> 8 + at[0] % 3);

            // An operator of one's own is two functions, each of which sets its second vector. This one is its own adjoint.
            BiConsumer<DistributedArray, DistributedArray> weigh = (x, y) -> {
                y.assign(x);
                y.update(weights, (mine, theirs) -> mine.multiplyInPlace(theirs)); // on this rank's rows
            };
            var weighed = LinearOperator.of(space, space, weigh, weigh);
            weighed.dotTest(1, 1e-12);

            var operator = weighed.plus(Laplacian.of(space).scaled(0.5));
            var data = operator.forward(space.random(7));
            var files = Checkpoints.in(Path.of(file + ".checkpoints"), ranks); // the same folder on all ranks
            var solver = Cgls.of(operator, data).iterations(30).checkpoints(files, 5); // after every fifth iteration

            // Every rank sees every iteration; one rank's CANCEL ends the solver on all.
            var early = solver.observe(seen -> seen.iteration() == 12 ? Verdict.CANCEL : Verdict.CONTINUE)
                    .solve();

            // As the program does when it is started anew: on as many ranks with the same bits as without a break.
            var found = solver.resume(files).orElseGet(solver::begin).run();
            found.x().save(file);
            if (ranks.rank() == 0)
                System.out.println(early.stop() + " after " + early.iterations() + ", then " + found.stop() + " after "
                        + found.iterations());
        });
    }
}

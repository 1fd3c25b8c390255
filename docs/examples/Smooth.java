import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.comm.Ranks;
import io.penstock.distributed.DistributedSpace;
import io.penstock.distributed.StackedArray;
import io.penstock.operator.Convolution;
import io.penstock.operator.Laplacian;
import io.penstock.operator.StackedVerticalStack;
import io.penstock.solver.Cgls;
import java.nio.file.Path;

/** Inverts a blurred picture on several ranks, with a penalty on roughness: {@code |y - A x|^2 + 0.2^2 |L x|^2}. */
public class Smooth {
    public static void main(String[] args) {
        var file = Path.of(args.length > 0 ? args[0] : "smooth.npy");
        Ranks.run(3, ranks -> { // every rank runs this
            var space = DistributedSpace.rows(ranks, 50, 40); // 17, 17 and 16 rows
            var model = space.fromFunction(at -> at[0] > 20 && at[1] > 15 ? 2 : 1); // at: the global indices
            var box = NDArray.full(1.0 / 25, DType.F64, 5, 5);
            var blur = Convolution.along(new int[] {0, 1}, box).origin(2, 2).on(space);
            var noise = space.random(7); // the same numbers on any number of ranks
            var data = blur.forward(model);
            data.axpy(0.01, noise); // data += 0.01 * noise

            var roughness = Laplacian.of(space).scaled(0.2);
            var both = StackedVerticalStack.of(blur, roughness);
            var wanted = StackedArray.of(data, roughness.range().zeros());
            var found = Cgls.of(both, wanted).iterations(100).solve();

            found.x().save(file); // all ranks call it; each writes its rows into the one file
            double norm = found.x().norm(); // a sum over ranks, so all must call it, outside any "if (rank == 0)"
            if (ranks.rank() == 0) System.out.println(found.stop() + ", norm " + norm);
        });
    }
}

package io.penstock.cli.documents;

import io.penstock.array.NDArray;
import io.penstock.comm.Ranks;
import io.penstock.distributed.DistributedSpace;
import io.penstock.operator.PoststackModelling;
import io.penstock.operator.Wavelets;
import io.penstock.solver.Cgls;
import java.nio.file.Path;

/** The example of README.md, which shows the lines between the two marks. */
final class ReadmeExample {
    private ReadmeExample() {}

    static void invert(Path file) {
        // README begins
        // Four ranks, threads of this program; nothing below says how they talk to each other.
        Ranks.run(4, ranks -> {
            var space = DistributedSpace.rows(ranks, 80, 400); // 80 traces of 400 samples, some on each rank
            var background = space.fromFunction(at -> 8); // known beforehand: a wavelet without a mean does not see it
            var model = space.fromFunction(at -> 8 + Math.sin(0.1 * at[1] + 0.05 * at[0]));
            var wavelet = Wavelets.ricker(15, 0.004, 41);
            var modelling = PoststackModelling.along(1, wavelet).on(space);
            var data = modelling.forward(model);
            var found =
                    Cgls.of(modelling, data).start(background).iterations(50).solve();
            var off = found.x().zip(model, NDArray::subtract).norm() / model.norm();
            if (ranks.rank() == 0) System.out.printf("off by %.2f %%%n", 100 * off);
            found.x().save(file); // one .npy file, to which each rank writes its own part
        });
        // README ends
    }
}

package io.penstock.cli.poststack;

import io.penstock.array.NDArray;
import io.penstock.comm.Communicator;
import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.DistributedSpace;
import io.penstock.operator.Laplacian;
import io.penstock.operator.LinearOperator;
import io.penstock.operator.PoststackModelling;
import io.penstock.runtime.Device;

/**
 * The inverse problem as one rank holds it: arrays of shape (traces, samples), or (lines, traces, samples) for a cube, cut along
 * their first axis. Modelling is then local to each rank, and the Laplacian exchanges one row or section with each neighbour.
 *
 * <p>The lines of a cube are equal unless noise is added, so the exact iterates are symmetric about its middle line. Rounding
 * breaks the symmetry, and conjugate gradients amplify what they see as a new direction: without noise the regularised
 * inversions of a cube agree with each other, and on different numbers of ranks, to about five digits only.
 *
 * @param modelling from log-impedance to seismic data
 * @param laplacian the sum of second derivatives along all axes
 * @param model the true model
 * @param background where inversions start
 * @param data modelled from the true model, with noise
 */
record Problem(
        LinearOperator<DistributedArray, DistributedArray> modelling,
        LinearOperator<DistributedArray, DistributedArray> laplacian,
        DistributedArray model,
        DistributedArray background,
        DistributedArray data) {

    static Problem of(Communicator ranks, Device device, Section section, NDArray smooth, Configuration how) {
        NDArray whole = section.model();
        DistributedSpace rows = how.lines() == 1
                ? DistributedSpace.rows(ranks, whole.dim(0), whole.dim(1))
                : DistributedSpace.rows(ranks, how.lines(), whole.dim(0), whole.dim(1));
        DistributedSpace space = rows.on(device);
        LinearOperator<DistributedArray, DistributedArray> modelling =
                PoststackModelling.along(-1, how.impulse()).on(space);
        DistributedArray model = spread(space, whole);
        DistributedArray data = modelling.forward(model);
        if (how.noise() > 0) {
            DistributedArray noise = data.space().random(how.seed());
            data.axpy(
                    how.noise() * data.norm() / Math.sqrt((double) data.space().size()), noise);
            noise.close();
        }
        return new Problem(modelling, Laplacian.of(space), model, spread(space, smooth), data);
    }

    /** This rank's part of a section, or of the cube of equal lines. */
    private static DistributedArray spread(DistributedSpace space, NDArray section) {
        if (space.layout().shape().size() == 2) return DistributedArray.ofGlobal(space, section);
        DistributedArray cube = space.empty();
        NDArray local = cube.local();
        for (long line = 0; line < local.dim(0); line++)
            local.slice(0, line, line + 1).reshape(section.shape()).assign(section);
        return cube;
    }
}

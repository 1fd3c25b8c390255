package io.penstock.bench.scaling;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.array.Vector;
import io.penstock.comm.Communicator;
import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.DistributedSpace;
import io.penstock.distributed.StackedArray;
import io.penstock.operator.Laplacian;
import io.penstock.operator.LinearOperator;
import io.penstock.operator.PoststackModelling;
import io.penstock.operator.StackedVerticalStack;
import io.penstock.operator.Wavelets;
import io.penstock.runtime.Device;
import io.penstock.runtime.Scope;
import io.penstock.solver.Cgls;
import io.penstock.solver.CglsIteration;

/**
 * An iteration of CGLS on post-stack modelling of a cube, cut between the ranks by line; regularised with a Laplacian along all axes,
 * whose halo is a line to each neighbour.
 */
record PoststackCase(String name, long lines, boolean regularised) implements ScalingCase {
    private static final long TRACES = 267;
    private static final long SAMPLES = 550;
    private static final int MOST_ITERATIONS = 10_000;

    @Override
    public String size() {
        return String.format("%,d unknowns", lines * TRACES * SAMPLES);
    }

    @Override
    public Step begin(Communicator ranks, Device device, int times) {
        DistributedSpace space = DistributedSpace.rows(ranks, lines * times, TRACES, SAMPLES)
                .as(DType.F32)
                .on(device);
        var modelling =
                PoststackModelling.along(-1, Wavelets.ricker(15, 0.004, 41)).on(space);
        DistributedArray model = model(space);
        DistributedArray data = modelling.forward(model);
        model.close();
        if (!regularised) return step(modelling, data);
        var stack = StackedVerticalStack.of(
                modelling, Laplacian.along(0, 1, 2).on(space).scaled(0.1));
        return step(stack, StackedArray.of(data, space.zeros()));
    }

    /** Waves along all axes, made where they are to lie. */
    private static DistributedArray model(DistributedSpace space) {
        long[] shape = space.local().dims();
        long start = space.layout().start(space.ranks().rank());
        try (Scope scope = Scope.open()) {
            NDArray lines = wave(space, start, shape[0], 0.11).reshape(shape[0], 1, 1);
            NDArray traces = wave(space, 0, shape[1], 0.07).reshape(shape[1], 1);
            NDArray samples = wave(space, 0, shape[2], 0.23);
            return scope.keep(DistributedArray.ofLocal(
                    space, lines.add(traces).multiply(samples).add(samples)));
        }
    }

    private static NDArray wave(DistributedSpace space, long start, long length, double step) {
        NDArray wave = NDArray.empty(Device.jvm(), DType.F64, length);
        for (long i = 0; i < length; i++) wave.set(Math.sin(step * (start + i)), i);
        return wave.as(space.dtype()).to(space.device());
    }

    private static <Y extends Vector<Y>> Step step(LinearOperator<DistributedArray, Y> a, Y data) {
        CglsIteration<DistributedArray, Y> iteration = Cgls.of(a, data)
                .iterations(MOST_ITERATIONS)
                .relativeTolerance(0)
                .begin();
        return new Step() {
            @Override
            public void run() {
                iteration.step();
            }

            @Override
            public double mark() {
                return iteration.history().residualNorms().get(1);
            }

            @Override
            public void close() {
                iteration.close();
                a.close();
            }
        };
    }
}

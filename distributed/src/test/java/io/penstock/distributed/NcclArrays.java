package io.penstock.distributed;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.comm.Communicator;
import io.penstock.comm.Ranks;
import io.penstock.comm.Traffic;
import io.penstock.runtime.Device;
import io.penstock.runtime.Scope;
import java.util.SplittableRandom;
import java.util.function.Function;

/**
 * Distributed arrays whose ranks have a GPU each and exchange by NCCL, against the same in the JVM by the communicator below: the same
 * results from the same messages. Run as a program, on stand-ins or as processes of a job, and by tests on GPUs.
 */
final class NcclArrays {
    private NcclArrays() {}

    /** The arguments are how many cases, and those that {@link Ranks} takes. */
    public static void main(String[] args) {
        Ranks.run(args, ranks -> {
            check(ranks, Integer.parseInt(args[0]));
            ranks.barrier();
            if (ranks.rank() == 0) System.out.println("PASSED distributed arrays on " + ranks.name());
        });
    }

    /** Each rank takes the GPU of its number. */
    static void check(Communicator ranks, int cases) {
        Device device = RankDevice.of(ranks, "cuda");
        try (Communicator nccl = Communicator.of(ranks, device)) {
            NDArray here = NDArray.empty(device, DType.F32, 1);
            assertThat(nccl.isQueued(here)).as("%s uses NCCL", nccl.name()).isTrue();
            SplittableRandom random = new SplittableRandom(20261130);
            for (int i = 0; i < cases; i++)
                try (Scope _ = Scope.open()) {
                    check(ranks, nccl, device, random.split());
                }
        }
    }

    private static void check(Communicator ranks, Communicator nccl, Device device, SplittableRandom random) {
        DType dtype = Cases.oneOf(random, DType.F32, DType.F64, DType.C128);
        long[] shape = random.longs(1 + random.nextInt(3), 1, 9).toArray();
        int axis = random.nextInt(shape.length);
        Layout layout = Cases.blocks(random, ranks.size(), axis, shape);
        Layout other = Cases.layout(random, ranks.size(), shape);
        long before = random.nextInt(4);
        NDArray a = Cases.numbers(random, dtype, shape);
        DistributedArray x = DistributedArray.ofGlobal(new DistributedSpace(ranks, layout, dtype), a);
        DistributedArray y = DistributedArray.ofGlobal(new DistributedSpace(nccl, layout, dtype), a)
                .to(device);
        compare("halo", x, y, z -> z.withGhostCells(before, 1));
        compare("redistribute", x, y, z -> z.redistribute(other).local());
        compare("allGather", x, y, DistributedArray::allGather);
        compare("sum", x, y, z -> z.sum(axis).local());
        compare("norm", x, y, z -> NDArray.of(z.norm()));
    }

    private static void compare(
            String what, DistributedArray x, DistributedArray y, Function<DistributedArray, NDArray> operation) {
        Traffic sent = x.space().ranks().traffic();
        NDArray expected = operation.apply(x);
        sent = x.space().ranks().traffic().since(sent);
        Traffic there = y.space().ranks().traffic();
        NDArray got = operation.apply(y);
        assertThat(y.space().ranks().traffic().since(there)).as(what).isEqualTo(sent);
        Cases.assertClose(got.toHost(), expected, x.dtype().real() == DType.F32 ? 1e-5 : 1e-13);
    }
}

package io.penstock.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.comm.Communicator;
import io.penstock.comm.Ranks;
import io.penstock.distributed.DistributedSpace;
import io.penstock.distributed.RankDevice;
import io.penstock.distributed.Tiles;
import io.penstock.runtime.Device;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Distributed operators on CUDA devices; several ranks share one where there are fewer. */
@Tag("gpu")
class CudaDistributedOperatorsTest extends DeviceDistributedOperators {
    @Override
    String driver() {
        return "cuda";
    }

    /** As many ranks as there are GPUs, so that collectives go by NCCL where it is there. */
    @Test
    void aGpuARankGivesTheSameByNccl() {
        int gpus = RankDevice.named("cuda").size();
        NDArray kernel = NDArray.random(7, DType.C64, gpus, 4, 3);
        Ranks.run(gpus, ranks -> {
            Device gpu = RankDevice.of(ranks, "cuda");
            Communicator group = Communicator.of(ranks, gpu);
            Tiles tiles = Tiles.of(gpus, 70, 90);
            var matrix = tiles.space(group, DType.F32).random(4);
            assertSame(
                    tiles.with(90, 50).space(group, DType.F32),
                    space -> TiledMatrix.of(tiles, matrix.to(space.device()), 50));
            NDArray own = kernel.slice(0, ranks.rank(), ranks.rank() + 1);
            assertSame(
                    DistributedSpace.split(group, 1, 15, 3, 2).as(DType.F32),
                    space -> MultidimensionalConvolution.of(own.to(space.device()))
                            .on(space, gpus));
            assertSame(DistributedSpace.rows(group, 30, 20), Laplacian::of);
            assertThat(group.size()).isEqualTo(gpus);
            if (!group.equals(ranks)) group.close();
        });
    }
}

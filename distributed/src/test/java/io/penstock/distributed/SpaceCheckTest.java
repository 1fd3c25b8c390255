package io.penstock.distributed;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.array.DType;
import io.penstock.comm.CommunicatorException;
import io.penstock.comm.Ranks;
import org.junit.jupiter.api.Test;

/** What ranks that have computed different layouts are told where they ask. */
class SpaceCheckTest {
    @Test
    void equalLayoutsPass() {
        Ranks.run(
                3,
                ranks -> assertThatCode(() -> SpaceCheck.compareNow(DistributedSpace.rows(ranks, 7, 5)))
                        .doesNotThrowAnyException());
    }

    @Test
    void anotherShapeOnOneRankIsToldToAll() {
        Ranks.run(
                3,
                ranks -> assertThatThrownBy(
                                () -> SpaceCheck.compareNow(DistributedSpace.rows(ranks, ranks.rank() == 1 ? 8 : 7, 5)))
                        .isInstanceOf(CommunicatorException.class)
                        .hasMessageContaining("rank 0: F64, (7, 5)")
                        .hasMessageContaining("rank 1: F64, (8, 5)"));
    }

    @Test
    void anotherTypeOnOneRankIsToldToAll() {
        Ranks.run(
                2,
                ranks -> assertThatThrownBy(() -> SpaceCheck.compareNow(
                                DistributedSpace.rows(ranks, 4).as(ranks.rank() == 0 ? DType.F32 : DType.F64)))
                        .hasMessageContaining("rank 0: F32")
                        .hasMessageContaining("rank 1: F64"));
    }
}

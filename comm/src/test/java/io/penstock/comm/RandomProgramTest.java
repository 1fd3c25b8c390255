package io.penstock.comm;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.runtime.Device;
import io.penstock.testing.Seeded;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Random programs of collectives and messages, blocking and not, on random views, against what each element must be. */
class RandomProgramTest {
    @Test
    void everyElementArrivesWhereItMust() {
        long before = Device.jvm().memoryUse().live();
        int[] run = {0};
        Seeded.cases(160, random -> {
            int ranks = 1 + run[0]++ % 16;
            long seed = random.nextLong();
            Ranks.run(ranks, communicator -> new Program(communicator, communicator.rank(), seed, 40).run());
        });
        assertThat(Device.jvm().memoryUse().live()).isEqualTo(before);
    }

    @Test
    void groupsOfSplitRanksRunTheirOwnPrograms() {
        Seeded.cases(40, random -> {
            int ranks = 2 + random.nextInt(9);
            long seed = random.nextLong();
            Ranks.run(ranks, all -> {
                SplittableRandom same = new SplittableRandom(seed);
                List<Communicator> groups = new ArrayList<>();
                for (int k = 0; k < 3; k++) {
                    int colours = 1 + same.nextInt(3);
                    groups.add((k == 2 ? groups.get(0) : all).split(all.rank() % colours, -all.rank()));
                }
                for (int round = 0; round < 3; round++)
                    for (Communicator group : groups) new Program(group, all.rank(), seed + round * 3L, 8).run();
                groups.forEach(Communicator::close);
            });
        });
    }

    @Test
    void aSplitGroupOrdersItsRanksByKey() {
        Ranks.run(7, ranks -> {
            int colour = ranks.rank() % 2;
            try (Communicator group = ranks.split(colour, -ranks.rank())) {
                assertThat(group.size()).isEqualTo(colour == 0 ? 4 : 3);
                assertThat(group.rank()).isEqualTo((colour == 0 ? 6 - ranks.rank() : 5 - ranks.rank()) / 2);
            }
            try (Communicator same = ranks.split(3, 0)) {
                assertThat(same.rank()).isEqualTo(ranks.rank());
            }
        });
    }
}

package io.penstock.runtime.opencl;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.runtime.FailureReader;
import io.penstock.testing.Seeded;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class LaunchesTest {
    private record Expected(long work, int number, FailureReader reader) {}

    private static FailureReader reader(long work) {
        return record -> new IllegalStateException("work " + work);
    }

    @Test
    void findWhatIsUnderWayAndNothingElse() {
        Seeded.cases(10, random -> {
            Launches launches = new Launches();
            ArrayDeque<Expected> under = new ArrayDeque<>();
            ArrayDeque<Integer> gone = new ArrayDeque<>();
            long work = 1;
            for (int step = 0; step < 300; step++) {
                if (random.nextInt(3) > 0) {
                    work += random.nextInt(3);
                    FailureReader reader = reader(work);
                    under.add(new Expected(work, launches.add(work, "kernel" + work, reader), reader));
                } else {
                    long upTo = work - random.nextInt(20);
                    launches.over(upTo);
                    while (!under.isEmpty() && under.getFirst().work() <= upTo)
                        gone.add(under.removeFirst().number());
                }
                for (Expected expected : under) {
                    Launches.Launched found = Objects.requireNonNull(launches.find(expected.number()));
                    assertThat(found.work()).isEqualTo(expected.work());
                    assertThat(found.read(MemorySegment.NULL)).hasMessage("work " + expected.work());
                }
                while (gone.size() > 5) gone.removeFirst();
                for (int number : gone) assertThat(launches.find(number)).isNull();
                assertThat(launches.find(-1)).isNull();
                if (under.isEmpty()) assertThat(launches.suspect()).isEmpty();
                else
                    assertThat(launches.suspect())
                            .contains("kernel" + under.getFirst().work());
            }
        });
    }
}

package io.penstock.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.testing.Seeded;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Histories against the list of everything that was ever done. */
class HistoryTest {
    private static final Device DEVICE = Device.jvm();

    /** One use, as the test remembers it, with all uses that its work waits for, directly or through others. */
    private record Done(int line, BitSet bytes, boolean writes, BitSet after) {}

    @Test
    void whateverConflictsIsWaitedForDirectlyOrThroughOthers() {
        Seeded.cases(400, random -> {
            int lines = random.nextInt(1, 80);
            int steps = random.nextInt(1, 200);
            long width = random.nextLong(2, 9);
            try (Buffer buffer = DEVICE.allocate(128, MemoryKind.HOST)) {
                List<Line> all = new ArrayList<>();
                for (int i = 0; i < lines; i++) all.add(new Line("line " + i));
                List<Done> dones = new ArrayList<>();
                List<List<Integer>> ofLine = new ArrayList<>();
                for (int i = 0; i < lines; i++) ofLine.add(new ArrayList<>());
                History history = new History(0, false);
                history.lock();
                for (int step = 0; step < steps; step++) {
                    int line = random.nextInt(lines);
                    Region region = RegionTest.random(random, width);
                    boolean writes = random.nextInt(3) == 0;
                    Work work = new Work(
                            all.get(line), What.UNNAMED, List.of(new Access(buffer, region, writes)), () -> {});
                    history.collect(region, writes, work);
                    work.take(ofLine.get(line).size() + 1);
                    BitSet after = new BitSet();
                    if (!ofLine.get(line).isEmpty())
                        follow(after, ofLine.get(line).getLast(), dones);
                    work.waits().forEach((producer, number) -> {
                        List<Integer> itsWork = ofLine.get(all.indexOf(producer));
                        follow(after, itsWork.get(Math.toIntExact(number) - 1), dones);
                    });
                    BitSet bytes = RegionTest.bytes(region);
                    for (int k = 0; k < step; k++) {
                        Done earlier = dones.get(k);
                        if ((writes || earlier.writes) && bytes.intersects(earlier.bytes))
                            assertThat(after.get(k))
                                    .as("use %d waits for use %d", step, k)
                                    .isTrue();
                    }
                    history.publish(work, region, writes);
                    ofLine.get(line).add(step);
                    dones.add(new Done(line, bytes, writes, after));
                    assertThat(history.size()).isLessThanOrEqualTo(Math.max(History.CAPACITY, 2 * lines));
                }
                history.unlock();
            }
        });
    }

    private static void follow(BitSet after, int use, List<Done> dones) {
        after.set(use);
        after.or(dones.get(use).after);
    }

    @Test
    void aPieceWaitsForNothingThatItDoesNotMeet() {
        Seeded.cases(400, random -> {
            try (Buffer buffer = DEVICE.allocate(128, MemoryKind.HOST)) {
                History history = new History(0, false);
                history.lock();
                List<Done> dones = new ArrayList<>();
                for (int step = 0; step < 30; step++) {
                    Region region = RegionTest.random(random, 8);
                    boolean writes = random.nextBoolean();
                    Work work = new Work(
                            new Line("line"), What.UNNAMED, List.of(new Access(buffer, region, writes)), () -> {});
                    history.collect(region, writes, work);
                    work.take(1);
                    BitSet bytes = RegionTest.bytes(region);
                    boolean meets = dones.stream().anyMatch(d -> (writes || d.writes) && d.bytes.intersects(bytes));
                    assertThat(work.waits().isEmpty()).isEqualTo(!meets);
                    history.publish(work, region, writes);
                    dones.add(new Done(step, bytes, writes, new BitSet()));
                }
                history.unlock();
            }
        });
    }
}

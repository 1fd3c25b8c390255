package io.penstock.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.runtime.Device;
import io.penstock.runtime.Scope;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Items of a group that have gone different ways come together again where others come from elsewhere, and go on to a barrier that the
 * group may also miss.
 */
class PartingGroupsTest {
    private static final int ITEMS = 13;
    private static final int GROUP = 8;

    static List<Device> devices() {
        return OnDevice.all();
    }

    /** From two conditions that part items, and from a way on which all are together. */
    static void meetsOthers(WorkItem at, Ints out, Ints in, int way) {
        Ints shared = at.localInts(GROUP);
        int v = in.get(at.x());
        if ((way & 1) == 0) {
            if ((v & 1) == 0) if ((v & 2) == 0) v = 1;
        } else {
            if ((way & 2) != 0) return;
            v = 5;
        }
        shared.set(at.localX(), v);
        at.barrier();
        out.set(at.x(), shared.get(at.localX()) + 100);
    }

    private static int metOthers(int v, int way) {
        return 100 + ((way & 1) != 0 ? 5 : (v & 3) == 0 ? 1 : v);
    }

    /** Two conditions, of which the group comes to one, lead to the same statements or past them. */
    static void sharesWays(WorkItem at, Ints out, Ints in, int way) {
        Ints shared = at.localInts(GROUP);
        int v = in.get(at.x());
        do {
            if ((way & 1) != 0) {
                if ((way & 2) != 0) return;
                if ((v & 1) != 0) break;
            } else if ((v & 2) != 0) break;
            v += 7;
        } while (false);
        shared.set(at.localX(), v);
        at.barrier();
        out.set(at.x(), shared.get(at.localX()) + 100);
    }

    private static int sharedWays(int v, int way) {
        return 100 + v + ((v & ((way & 1) != 0 ? 1 : 2)) != 0 ? 0 : 7);
    }

    /** From a loop that items leave in two places, which follows another. */
    static void leavesLoops(WorkItem at, Ints out, Ints in, int way) {
        Ints shared = at.localInts(GROUP);
        int v = in.get(at.x());
        if ((way & 1) != 0) {
            if ((way & 2) != 0) return;
            v = 3;
        } else {
            for (int k = 0; k < (at.x() & 3); k++) v += k;
            for (int k = v; k < 9; k++) {
                if (k * k > 20) break;
                v += k;
            }
        }
        shared.set(at.localX(), v);
        at.barrier();
        out.set(at.x(), shared.get(at.localX()) + 100);
    }

    private static int leftLoops(int x, int in, int way) {
        if ((way & 1) != 0) return 103;
        int v = in;
        for (int k = 0; k < (x & 3); k++) v += k;
        for (int k = v; k < 9 && k * k <= 20; k++) v += k;
        return 100 + v;
    }

    /** A kernel, and what an item stores that has loaded a number. */
    private record Sample(Kernel kernel, IntTernaryOperator expected) {}

    private interface IntTernaryOperator {
        int apply(int x, int loaded, int way);
    }

    private static List<Sample> samples() {
        return List.of(
                new Sample(Kernel.of(PartingGroupsTest::meetsOthers), (_, loaded, way) -> metOthers(loaded, way)),
                new Sample(Kernel.of(PartingGroupsTest::sharesWays), (_, loaded, way) -> sharedWays(loaded, way)),
                new Sample(Kernel.of(PartingGroupsTest::leavesLoops), PartingGroupsTest::leftLoops));
    }

    @ParameterizedTest
    @MethodSource("devices")
    void allComeToTheBarrierTogether(Device device) {
        for (Sample sample : samples())
            for (int way = 0; way < 4; way++)
                try (Scope _ = Scope.open()) {
                    Ints out = Memory.ints(ITEMS);
                    Ints in = Memory.ints(ITEMS);
                    for (int x = 0; x < ITEMS; x++) in.set(x, (5 * x) % 7);
                    RangedKernel kernel = sample.kernel.over(ITEMS).groups(GROUP);
                    OnDevice.run(device, kernel, out, in, way);
                    for (int x = 0; x < ITEMS; x++)
                        assertThat(out.get(x))
                                .as("%s on way %d, item %d", kernel, way, x)
                                .isEqualTo(way == 3 ? 0 : sample.expected.apply(x, in.get(x), way));
                }
    }
}

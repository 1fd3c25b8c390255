package io.penstock.distributed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.comm.Communicator;
import io.penstock.comm.Ranks;
import io.penstock.comm.Traffic;
import io.penstock.runtime.Backend;
import io.penstock.runtime.Backends;
import io.penstock.runtime.Device;
import io.penstock.testing.Seeded;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Distributed arrays with a device a rank, against the same in the JVM: the same results from the same messages. A subclass for each
 * driver says which devices.
 */
@Timeout(300)
abstract class DeviceArrays {
    /** The driver's name. */
    abstract String driver();

    @BeforeEach
    void hasDevices() {
        for (Backend backend : Backends.all())
            if (backend.name().equals(driver()))
                assumeTrue(
                        !backend.devices().isEmpty(),
                        () -> "no " + driver() + " device: " + backend.absence().orElse(""));
    }

    private DistributedArray there(DistributedArray x) {
        return x.to(RankDevice.of(x.space().ranks(), driver()));
    }

    private static <T> T counted(
            Communicator ranks, Traffic[] sent, int at, Function<DistributedArray, T> f, DistributedArray x) {
        Traffic before = ranks.traffic();
        T result = f.apply(x);
        sent[at] = ranks.traffic().since(before);
        return result;
    }

    /** Compares what an operation makes of an array here and on the devices, and what it sends. */
    private void assertSame(String what, DistributedArray x, Function<DistributedArray, NDArray> operation) {
        Communicator ranks = x.space().ranks();
        Traffic[] sent = new Traffic[2];
        NDArray expected = counted(ranks, sent, 0, operation, x);
        NDArray got = counted(ranks, sent, 1, operation, there(x));
        assertThat(sent[1]).as(what).isEqualTo(sent[0]);
        double tolerance = x.dtype().real() == DType.F32 ? 1e-5 : 1e-13;
        Cases.assertClose(got.toHost(), expected, tolerance);
    }

    private static Layout otherLayout(SplittableRandom random, Layout layout) {
        return Cases.layout(random, layout.ranks(), layout.dims());
    }

    @Test
    void operationsGiveTheSameFromTheSameMessages() {
        Seeded.cases(8, random -> {
            int size = 1 + random.nextInt(5);
            DType dtype = Cases.oneOf(random, DType.F32, DType.C128);
            long[] shape = random.longs(1 + random.nextInt(3), 1, 8).toArray();
            Layout layout = Cases.layout(random, size, shape);
            Layout other = otherLayout(random, layout);
            int axis = random.nextInt(shape.length);
            long before = random.nextInt(4);
            NDArray a = Cases.numbers(random, dtype, shape);
            NDArray b = Cases.numbers(random, dtype, shape);
            Ranks.run(size, ranks -> {
                DistributedSpace space = new DistributedSpace(ranks, layout, dtype);
                DistributedArray x = DistributedArray.ofGlobal(space, a);
                DistributedArray y = DistributedArray.ofGlobal(space, b);
                Function<DistributedArray, DistributedArray> y2 =
                        z -> y.to(z.space().device());
                assertSame("copy", x, z -> z.copy().local());
                assertSame("add", x, z -> z.add(y2.apply(z)).local());
                assertSame("multiply", x, z -> z.multiply(y2.apply(z)).local());
                assertSame("axpy", x, z -> {
                    DistributedArray sum = z.copy();
                    sum.axpy(0.5, y2.apply(z));
                    sum.axpby(2, y2.apply(z), -1);
                    sum.scale(3);
                    return sum.local();
                });
                assertSame("norms", x, z -> NDArray.of(z.norm(), z.norm(1), z.norm(Double.POSITIVE_INFINITY)));
                assertSame(
                        "dot",
                        x,
                        z -> NDArray.ofComplex(
                                z.dot(y2.apply(z)).re(), z.dot(y2.apply(z)).im()));
                assertSame("sum", x, z -> z.sum(axis).local());
                assertSame("redistribute", x, z -> z.redistribute(other).local());
                assertSame("allGather", x, DistributedArray::allGather);
                assertSame("gather", x, z -> z.gather(0).orElseGet(() -> NDArray.of(0)));
                if (layout.isReplicated()) return;
                assertSame("withGhostCells", x, z -> z.withGhostCells(before, 1));
            });
        });
    }

    @Test
    void aHaloMayBeExchangedAgainAndAgain() {
        Ranks.run(3, ranks -> {
            DistributedSpace space = DistributedSpace.split(ranks, 1, 4, 10, 3).on(RankDevice.of(ranks, driver()));
            int me = ranks.rank();
            try (Halo halo = Halo.of(space, 2, 1)) {
                for (int round = 0; round < 5; round++) {
                    NDArray whole = NDArray.random(round, DType.F64, 4, 10, 3);
                    DistributedArray x = DistributedArray.ofGlobal(space, whole);
                    halo.start(x);
                    assertThatThrownBy(() -> halo.start(x)).isInstanceOf(IllegalStateException.class);
                    halo.finish();
                    x.fill(round);
                    long start = space.layout().start(me);
                    long end = space.layout().end(me);
                    Cases.assertEqual(
                            halo.before().toHost(),
                            whole.slice(1, Math.max(0, start - 2), start).copy());
                    Cases.assertEqual(
                            halo.after().toHost(),
                            whole.slice(1, end, Math.min(10, end + 1)).copy());
                }
            }
        });
    }

    @Tag("threads") // each process would have a folder of its own
    @Test
    void arraysAreMadeScatteredAndSavedWhereTheyLie(@TempDir Path folder) {
        NDArray whole = NDArray.random(4, DType.F64, 7, 5);
        Ranks.run(3, ranks -> {
            Device device = RankDevice.of(ranks, driver());
            DistributedSpace space = DistributedSpace.rows(ranks, 7, 5).on(device);
            DistributedArray random = space.random(4);
            assertThat(random.local().device()).isEqualTo(device);
            Cases.assertEqual(random.allGather().toHost(), whole);
            DistributedArray scattered = DistributedArray.scatter(space, ranks.rank() == 1 ? whole : null, 1);
            Cases.assertEqual(scattered.toHost().local(), random.toHost().local());
            random.save(folder.resolve("a.npy"));
            Cases.assertEqual(
                    DistributedArray.load(space, folder.resolve("a.npy"))
                            .allGather()
                            .toHost(),
                    whole);
            assertThat(random.get(6, 4)).isEqualTo(whole.get(6, 4));
            DistributedArray copies = random.redistribute(space.layout().asReplicated());
            copies.checkReplicas();
            if (ranks.rank() == 2) copies.local().set(77, 3, 1);
            assertThatThrownBy(copies::checkReplicas).hasMessageContaining("rank 2 has another element");
            device.queue()
                    .during(() ->
                            assertThat(DistributedSpace.rows(ranks, 3).device()).isEqualTo(device));
            assertThatThrownBy(() -> random.add(random.toHost())).hasMessageContaining(device.name());
            assertThatThrownBy(() -> space.on(Device.jvm()).check(random, "x"))
                    .hasMessageContaining("x lies on " + device.name())
                    .hasMessageContaining("to(Device.named(\"jvm\"))");
        });
    }

    @Test
    void ranksTakeDevicesInTurn() {
        Ranks.run(3, ranks -> {
            String name = RankDevice.of(ranks, driver()).name();
            long devices = Device.all().stream()
                    .filter(device -> device.name().startsWith(driver() + ":"))
                    .count();
            assertThat(name).isEqualTo(driver() + ":" + ranks.rank() % devices);
            assertThat(RankDevice.of(ranks, driver() + ":0").name()).isEqualTo(driver() + ":0");
            assertThat(RankDevice.of(ranks, "jvm")).isEqualTo(Device.jvm());
        });
    }
}

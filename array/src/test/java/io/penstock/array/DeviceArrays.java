package io.penstock.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.runtime.Device;
import io.penstock.runtime.MemoryKind;
import io.penstock.runtime.Scope;
import io.penstock.testing.Seeded;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What arrays on a device other than the JVM do; a subclass for each driver says which device. */
@Timeout(120)
abstract class DeviceArrays {
    private Scope scope = Scope.open();

    /** The device; a test is skipped where there is none. */
    abstract Device device();

    @BeforeEach
    void openScope() {
        scope.close();
        assertThat(device()).isNotNull();
        scope = Scope.open();
    }

    @AfterEach
    void closeScope() {
        scope.close();
    }

    private static NDArray numbers(SplittableRandom random, DType dtype, long... shape) {
        return NDArray.random(random.nextLong(), DType.F64, shape)
                .multiply(100.0)
                .as(dtype);
    }

    private static void assertSame(NDArray there, NDArray here) {
        NDArray copy = there.toHost();
        assertThat(copy.shape()).isEqualTo(here.shape());
        assertThat(copy.dtype()).isEqualTo(here.dtype());
        NDArray same = copy.equal(here).add(copy.notEqual(copy).multiply(here.notEqual(here)));
        assertThat(same.all().get()).as("%s%n%s", copy, here).isEqualTo(1);
    }

    /** A random view of an array, and the same of another: sliced, stepped, turned and transposed. */
    private static NDArray[] views(SplittableRandom random, NDArray a, NDArray b) {
        NDArray[] pair = {a, b};
        for (int k = 0; k < a.ndim(); k++) {
            int axis = k;
            long n = pair[0].dim(k);
            long from = random.nextLong(n + 1);
            long to = from + random.nextLong(n - from + 1);
            long step = 1L + random.nextInt(3);
            int turn = random.nextInt(4);
            for (int i = 0; i < 2; i++) {
                if (turn > 0) pair[i] = pair[i].slice(axis, from, to, step);
                if (turn > 2) pair[i] = pair[i].flip(axis);
            }
        }
        if (a.ndim() > 1 && random.nextBoolean()) {
            pair[0] = pair[0].transpose();
            pair[1] = pair[1].transpose();
        }
        return pair;
    }

    private static long[] shape(SplittableRandom random) {
        long[] shape = new long[random.nextInt(5)];
        for (int k = 0; k < shape.length; k++) shape[k] = 1L + random.nextInt(6);
        return shape;
    }

    @Test
    void arraysMoveAndComeBack() {
        Seeded.cases(60, random -> {
            NDArray here = numbers(random, Cases.type(random), shape(random));
            NDArray there = here.to(device());
            assertThat(there.device()).isEqualTo(device());
            assertThat(there.kind()).isEqualTo(MemoryKind.DEVICE);
            assertThat(there.to(device())).isSameAs(there);
            assertThat(here.toHost()).isSameAs(here);
            assertSame(there, here);
            assertSame(there.copy(), here);
            NDArray[] views = views(random, there, here);
            assertSame(views[0], views[1]);
            assertSame(views[1].to(device()), views[1]);
        });
    }

    @Test
    void viewsAreFilledAndAssigned() {
        Seeded.cases(60, random -> {
            DType dtype = Cases.type(random);
            NDArray here = numbers(random, dtype, shape(random));
            NDArray there = here.to(device());
            NDArray[] views = views(random, there, here);
            NDArray values = numbers(random, dtype, views[1].shape());
            if (random.nextBoolean()) values = values.to(device());
            views[0].assign(values);
            views[1].assign(values);
            assertSame(there, here);
            views = views(random, there, here);
            double value = random.nextInt(100);
            views[0].fill(value);
            views[1].fill(value);
            assertSame(there, here);
            if (dtype.isComplex()) {
                there.imaginary().fill(2);
                here.imaginary().fill(2);
            }
            if (here.ndim() > 0 && views[1].ndim() > 0 && views[1].size() > 0) {
                NDArray row = numbers(random, dtype, views[1].dim(-1));
                views[0].set(row);
                views[1].set(row);
            }
            assertSame(there, here);
        });
    }

    @Test
    void elementsAreReadAndWritten() {
        NDArray there = NDArray.arange(12).reshape(3, 4).to(device());
        assertThat(there.get(1, 2)).isEqualTo(6);
        there.set(-1, 1, 2);
        assertThat(there.at(0, 1).toLongs()).containsExactly(4, 5, -1, 7);
        assertThat(there.transpose().toInts()).startsWith(0, 4, 8, 1);
        assertThat(there.toString()).isEqualTo(there.toHost().toString());
        assertThatThrownBy(() -> there.get(3, 0)).isInstanceOf(IndexOutOfBoundsException.class);
        NDArray complex = NDArray.ofComplex(1, 2, 3, 0).to(device());
        assertThat(complex.getComplex(0)).isEqualTo(new Complex(1, 2));
        assertThatThrownBy(() -> complex.get(0)).hasMessageContaining("use getComplex");
        assertThatThrownBy(complex::toDoubles).hasMessageContaining("complex elements");
        complex.set(new Complex(5, 6), 1);
        assertThat(complex.toHost().getComplex(1)).isEqualTo(new Complex(5, 6));
        NDArray large = NDArray.arange(5000).reshape(50, 100);
        assertThat(large.to(device()).toString()).isEqualTo(large.toString());
    }

    @Test
    void filesAreWrittenAndRead(@TempDir Path folder) {
        Path file = folder.resolve("a.npy");
        NDArray here = NDArray.random(3, DType.F32, 50, 7);
        here.to(device()).transpose().save(file);
        device().queue().during(() -> {
            NDArray read = NDArray.load(file);
            assertThat(read.device()).isEqualTo(device());
            assertSame(read, here.transpose());
        });
    }

    @Test
    void newArraysLieOnTheChosenDevice() {
        device().queue().during(() -> {
            assertThat(NDArray.zeros(DType.F32, 3).device()).isEqualTo(device());
            assertSame(NDArray.of(1, 2, 3), NDArray.of(1, 2, 3).toHost());
            assertThat(NDArray.of(1, 2, 3).device()).isEqualTo(device());
            assertThat(NDArray.eye(DType.F64, 2).toDoubles()).containsExactly(1, 0, 0, 1);
            assertThat(ArraySpace.of(2, 2).device()).isEqualTo(device());
        });
        ArraySpace space = ArraySpace.of(DType.F32, 4, 5).on(device());
        assertThat(space.toString()).isEqualTo("arrays of shape (4, 5) and type F32 on " + device().name());
        assertThat(space.zeros().space()).isEqualTo(space);
        assertSame(space.random(7), NDArray.random(7, DType.F32, 4, 5));
        assertThat(NDArray.zeros(DType.F32, 3).device()).isEqualTo(Device.jvm());
    }

    @Test
    void theHostRefusesAddressesItCannotUse() {
        NDArray there = NDArray.zeros(DType.F32, 3, 4).to(device());
        assertThatThrownBy(there::address)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "this needs an array that the host can address, but one of shape (3, 4) lies in DEVICE memory"
                                + " of " + device().name() + "; use a copy of it, toHost()");
        assertThatThrownBy(there::addressToRead).hasMessageContaining("toHost()");
    }

    @Test
    void pinnedMemoryIsReadWhereItIs() {
        NDArray pinned = NDArray.empty(device(), MemoryKind.PINNED, DType.I32, 4);
        pinned.fill(3);
        NDArray there = pinned.to(device(), MemoryKind.DEVICE);
        pinned.fill(4);
        assertThat(pinned.get(2)).isEqualTo(4);
        assertThat(there.get(2)).isEqualTo(3);
        there.assign(pinned);
        pinned.fill(5);
        assertThat(there.toInts()).containsExactly(4, 4, 4, 4);
    }

    @Test
    void oneDeviceHandsOverToAnother() {
        for (Device other : Device.all()) {
            NDArray here = NDArray.random(5, DType.F64, 20, 30);
            NDArray moved = here.to(device()).transpose().to(other).slice(1, 3, 17);
            assertThat(moved.device()).isEqualTo(other);
            assertSame(moved, here.transpose().slice(1, 3, 17));
        }
    }
}

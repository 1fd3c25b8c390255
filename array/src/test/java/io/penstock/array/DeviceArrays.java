package io.penstock.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.runtime.Device;
import io.penstock.runtime.MemoryKind;
import io.penstock.runtime.Scope;
import io.penstock.testing.Seeded;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What arrays on a device other than the JVM do; a subclass for each driver says which device. */
@Timeout(300)
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

    private static void assertClose(NDArray there, NDArray here) {
        NDArray copy = there.toHost();
        assertThat(copy.shape()).isEqualTo(here.shape());
        assertThat(copy.dtype()).isEqualTo(here.dtype());
        double tolerance = here.dtype().real() == DType.F32 ? 1e-5 : 1e-12;
        assertThat(copy.allClose(here, tolerance, tolerance))
                .as("%s%n%s", copy, here)
                .isTrue();
    }

    @Test
    void elementsAreComputedOnTheDevice() {
        NDArray a = NDArray.random(1, DType.F32, 4, 1, 6);
        NDArray b = NDArray.random(2, DType.F32, 5, 6);
        NDArray x = a.to(device());
        NDArray y = b.transpose().copy().to(device()).transpose();
        assertThat(x.add(y).device()).isEqualTo(device());
        assertSame(x.add(y), a.add(b));
        assertSame(x.multiply(2.5).subtract(y), a.multiply(2.5).subtract(b));
        assertSame(x.less(y), a.less(b));
        assertSame(NDArray.where(x.less(y), x, y), NDArray.where(a.less(b), a, b));
        assertSame(x.as(DType.I32).add(3), a.as(DType.I32).add(3));
        NDArray tiny = NDArray.of(1e-300, 0, 0.5, 0, Double.NaN, 1);
        assertSame(NDArray.where(tiny.to(device()), x, y), NDArray.where(tiny, a, b));
        assertSame(
                NDArray.where(tiny.to(device()), x.as(DType.I32), y.as(DType.U8)),
                NDArray.where(tiny, a.as(DType.I32), b.as(DType.U8)));
        NDArray tenths = NDArray.ofFloats(0.1f, 0.2f);
        assertSame(tenths.to(device()).greater(0.1), tenths.greater(0.1));
        assertClose(x.abs().sqrt().exp(), a.abs().sqrt().exp());
        NDArray c = a.as(DType.C64).multiply(new Complex(1, 2));
        NDArray z = x.as(DType.C64).multiply(new Complex(1, 2));
        assertClose(z, c);
        assertClose(
                z.divide(y.add(new Complex(0, 1))).abs(),
                c.divide(b.add(new Complex(0, 1))).abs());
        assertThatThrownBy(() -> x.add(b))
                .hasMessage("the arrays of one operation lie on " + device().name()
                        + " and on jvm; bring them together with to(Device)");
        assertThatThrownBy(() -> z.less(z)).hasMessageContaining("needs an order");
        NDArray w = x.reshape(4, 6);
        w.addInPlace(y.at(0, 1));
        assertSame(w, a.reshape(4, 6).add(b.at(0, 1)));
    }

    @Test
    void functionsOfOnesOwnFuse() {
        NDArray a = NDArray.random(1, DType.F32, 300, 7);
        NDArray b = NDArray.random(2, DType.F64, 7);
        NDArray x = a.to(device());
        NDArray y = b.to(device());
        double factor = 3;
        assertClose(
                NDArray.map((p, q) -> factor * p * p + Math.sqrt(Math.abs(q)), x, y),
                a.as(DType.F64).multiply(a).multiply(factor).add(b.abs().sqrt()));
        assertThat(NDArray.mapFloats(p -> p > 0 ? p : 0, x).dtype()).isEqualTo(DType.F32);
        assertSame(NDArray.mapFloats(p -> p > 0 ? p : 0, x), a.maximum(0.0));
        assertSame(
                NDArray.mapLongs((p, q) -> (p << 2) | (q & 1), x.as(DType.I32), x.as(DType.I32)),
                NDArray.mapLongs((p, q) -> (p << 2) | (q & 1), a.as(DType.I32), a.as(DType.I32)));
        assertClose(NDArray.mapReduce(p -> p * p, Double::sum, 0, x, 0).sqrt(), a.norm(2, 0));
        assertClose(x.reduce((p, q) -> Math.max(p, q), Double.NEGATIVE_INFINITY), a.max());
        assertClose(x.scan((p, q) -> p + q, 0, 0), a.cumulativeSum(0));
    }

    @Test
    void sumsAndTheirLikeAreComputedOnTheDevice() {
        NDArray a = NDArray.random(3, DType.F32, 40, 5, 60);
        NDArray x = a.to(device());
        assertClose(x.sum(), a.sum());
        assertClose(x.sum(0), a.sum(0));
        assertClose(x.sum(1), a.sum(1));
        assertClose(x.sum(true, 0, 2), a.sum(true, 0, 2));
        assertClose(x.transpose().max(0), a.transpose().max(0));
        assertClose(x.mean(2), a.mean(2));
        assertThat(x.norm()).isCloseTo(a.norm(), org.assertj.core.data.Offset.offset(1e-3));
        assertThat(x.sum().toDoubles()).isEqualTo(x.sum().toDoubles());
        assertSame(x.argMax(2), a.argMax(2));
        assertThat(x.argMin()).isEqualTo(a.argMin());
        NDArray n = NDArray.arange(10000).to(device());
        assertThat(n.sum().toLongs()).containsExactly(49995000);
        assertSame(n.cumulativeSum(0), NDArray.arange(10000).cumulativeSum(0));
        assertThat(n.cumulativeMax(0).get(777)).isEqualTo(777);
        NDArray c = NDArray.random(4, DType.C128, 500);
        NDArray d = NDArray.random(5, DType.C128, 500);
        Complex there = c.to(device()).localDot(d.to(device()));
        assertThat(there.minus(c.localDot(d)).abs()).isLessThan(1e-10);
    }

    @Test
    void vectorsAreCombinedOnTheDevice() {
        NDArray a = NDArray.random(3, DType.F64, 40, 5);
        NDArray b = NDArray.random(4, DType.F64, 40, 5);
        NDArray x = a.to(device());
        NDArray y = b.to(device());
        x.axpy(0.5, y);
        a.axpy(0.5, b);
        x.axpby(2, y, 0.25);
        a.axpby(2, b, 0.25);
        x.scale(3);
        a.scale(3);
        assertSame(x, a);
        NDArray c = a.as(DType.C128);
        NDArray z = x.as(DType.C128);
        z.scale(new Complex(1, 2));
        c.scale(new Complex(1, 2));
        z.axpy(new Complex(0, 1), y.as(DType.C128));
        c.axpy(new Complex(0, 1), b.as(DType.C128));
        z.conjugate();
        c.conjugate();
        assertClose(z, c);
        assertThatThrownBy(() -> x.axpy(1, b)).hasMessageContaining("expected arrays of shape");
    }

    @Test
    void matricesMultiplyOnTheDevice() {
        NDArray a = NDArray.random(3, DType.F64, 6, 70);
        NDArray b = NDArray.random(4, DType.F64, 70, 5);
        assertClose(a.to(device()).matmul(b.to(device())), a.matmul(b));
        assertClose(a.to(device()).matmul(b.to(device()).at(1, 2)), a.matmul(b.at(1, 2)));
        NDArray c = NDArray.random(5, DType.C128, 6, 7);
        NDArray v = NDArray.random(6, DType.C128, 6);
        NDArray y = ArraySpace.of(DType.C128, 7).on(device()).empty();
        NDArray expected = NDArray.zeros(DType.C128, 7);
        c.to(device()).adjointMatmul(v.to(device()), y);
        c.adjointMatmul(v, expected);
        assertClose(y, expected);
        NDArray joined = NDArray.concatenate(0, a.to(device()), a.to(device()));
        assertSame(
                joined.roll(2, 1).pad(1, 1, 0, 0, 2),
                NDArray.concatenate(0, a, a).roll(2, 1).pad(1, 1, 0, 0, 2));
    }

    /** Whatever a method does with an array on a device, it neither crashes nor fails in a way that does not say what to do. */
    @Test
    void everyMethodWorksOrSaysWhatToDo() throws Exception {
        for (java.lang.reflect.Method method : NDArray.class.getMethods()) {
            if (method.getDeclaringClass() == Object.class || method.getName().equals("close")) continue;
            NDArray target = NDArray.random(1, DType.F32, 3, 3).to(device());
            @Nullable Object[] arguments = new @Nullable Object[method.getParameterCount()];
            boolean known = true;
            for (int k = 0; k < arguments.length; k++) {
                arguments[k] = argument(method.getParameterTypes()[k]);
                known &= arguments[k] != null;
            }
            if (!known) continue;
            try {
                method.invoke(target, arguments);
            } catch (java.lang.reflect.InvocationTargetException e) {
                assertThat(e.getCause())
                        .as("%s", method)
                        .isInstanceOfAny(
                                IllegalStateException.class,
                                IllegalArgumentException.class,
                                UnsupportedOperationException.class,
                                IndexOutOfBoundsException.class,
                                ArrayFileException.class);
            }
        }
    }

    private @Nullable Object argument(Class<?> type) {
        if (type == NDArray.class || type == Vector.class)
            return NDArray.random(2, DType.F32, 3, 3).to(device());
        if (type == NDArray[].class)
            return new NDArray[] {NDArray.random(2, DType.F32, 3, 3).to(device())};
        if (type == double.class) return 1.0;
        if (type == long.class) return 1L;
        if (type == int.class) return 0;
        if (type == boolean.class) return true;
        if (type == long[].class) return new long[] {1, 1};
        if (type == int[].class) return new int[] {0};
        if (type == DType.class) return DType.F64;
        if (type == Complex.class) return new Complex(1, 0);
        if (type == Device.class) return device();
        if (type == MemoryKind.class) return MemoryKind.DEVICE;
        return type == Reductions.class ? new Reductions(2) : null;
    }
}

package io.penstock.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.penstock.runtime.Device;
import io.penstock.testing.Seeded;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

class ViewsTest {
    private final NDArray x = NDArray.arange(24).reshape(2, 3, 4);

    @Test
    void slicesStepAndReverse() {
        assertThat(x.slice(2, 1, 4, 2).toInts()).containsExactly(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23);
        assertThat(x.at(0, 1).at(-1, 2).toInts()).containsExactly(14, 18, 22);
        assertThat(x.at(0, 0).flip(0).toInts()).containsExactly(8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3);
        assertThat(x.flip().toInts()[0]).isEqualTo(23);
        assertThat(x.slice(1, 3, 3).size()).isZero();
        assertThatThrownBy(() -> x.slice(1, 2, 4))
                .hasMessage("slice 2 to 4 along axis 1 does not lie within its extent 3");
        assertThatThrownBy(() -> x.at(0, 2)).hasMessage("index 2 in dimension 0; expected 0 to 1 for shape (2, 3, 4)");
        assertThatThrownBy(() -> x.slice(1, 0, 2, 0)).hasMessage("step is 0; expected 1 or more (flip reverses)");
    }

    @Test
    void shapesChange() {
        assertThat(x.reshape(4, -1).shape()).containsExactly(4, 6);
        assertThat(x.transpose().reshape(-1).toInts()).startsWith(0, 12, 4, 16);
        assertThat(x.expandDims(1).shape()).containsExactly(2, 1, 3, 4);
        assertThat(x.expandDims(-1).squeeze().shape()).containsExactly(2, 3, 4);
        assertThatThrownBy(() -> x.squeeze(0)).hasMessage("axis 0 has extent 2; expected 1 to squeeze it");
        assertThatThrownBy(() -> x.reshape(-1, -1)).hasMessage("shape (-1, -1) has more than one -1");
        assertThatThrownBy(() -> x.reshape(5, -1)).hasMessage("shape (5, -1) does not divide 24 elements");
        assertThat(NDArray.arange(3).broadcastTo(2, 3).toInts()).containsExactly(0, 1, 2, 0, 1, 2);
        assertThatThrownBy(() -> x.broadcastTo(3, 4))
                .hasMessageContaining("shape (2, 3, 4) does not broadcast to (3, 4)");
        assertThat(x.at(0, 1).diagonal().toInts()).containsExactly(12, 17, 22);
        assertThat(NDArray.eye(DType.F32, 2).toDoubles()).containsExactly(1, 0, 0, 1);
    }

    @Test
    void viewsWriteThrough() {
        NDArray y = NDArray.zeros(DType.C64, 2, 2);
        y.imaginary().fill(3);
        y.transpose().at(0, 1).real().set(NDArray.ofInts(1, 2));
        assertThat(y.getComplex(1, 1)).isEqualTo(new Complex(2, 3));
        assertThatThrownBy(() -> x.imaginary()).hasMessageContaining("dtype is I64");
        assertThatThrownBy(y::toDoubles).hasMessageContaining("complex elements");
    }

    @Test
    void joinsPadsAndRolls() {
        NDArray a = NDArray.arange(4).reshape(2, 2);
        NDArray b = NDArray.ofFloats(9, 8).reshape(2, 1);
        assertThat(NDArray.concatenate(1, a, b).toDoubles()).containsExactly(0, 1, 9, 2, 3, 8);
        assertThat(NDArray.concatenate(1, a, b).dtype()).isEqualTo(DType.F64);
        assertThat(NDArray.stack(-1, a, a).shape()).containsExactly(2, 2, 2);
        assertThatThrownBy(() -> NDArray.concatenate(0, a, b))
                .hasMessage("part 1 has shape (2, 1); expected that of part 0, (2, 2), except along axis 0");
        assertThat(a.pad(7, 1, 0, 0, 2).toInts()).containsExactly(7, 7, 7, 7, 0, 1, 7, 7, 2, 3, 7, 7);
        assertThat(NDArray.arange(5).roll(2, 0).toInts()).containsExactly(3, 4, 0, 1, 2);
        assertThat(NDArray.arange(5).roll(-6, 0).toInts()).containsExactly(1, 2, 3, 4, 0);
    }

    @Test
    void ranges() {
        assertThat(NDArray.arange(0, 1, 0.25).toDoubles()).containsExactly(0, 0.25, 0.5, 0.75);
        assertThat(NDArray.arange(3, 0, -1).toDoubles()).containsExactly(3, 2, 1);
        assertThat(NDArray.linspace(0, 1, 5).toDoubles()).containsExactly(0, 0.25, 0.5, 0.75, 1);
        assertThat(NDArray.linspace(2, 3, 1).toDoubles()).containsExactly(2);
        assertThat(NDArray.copyOf(new double[][] {{1, 2}, {3, 4}}).toDoubles()).containsExactly(1, 2, 3, 4);
        assertThatThrownBy(() -> NDArray.copyOf(new double[][] {{1, 2}, {3}}))
                .hasMessage("row 1 has 1 numbers; expected 2, as row 0");
    }

    @Test
    void partsOfRandomArraysAreThoseOfTheWhole() {
        Seeded.cases(50, random -> {
            DType dtype = random.nextBoolean() ? DType.F32 : DType.C128;
            long[] shape = random.longs(3, 1, 7).toArray();
            int axis = random.nextInt(3);
            long from = random.nextLong(shape[axis] + 1);
            long to = random.nextLong(from, shape[axis] + 1);
            NDArray whole = NDArray.random(7, dtype, shape);
            NDArray part = NDArray.randomBlock(7, dtype, shape, axis, from, to);
            assertThat(Cases.elements(part)).isEqualTo(Cases.elements(whole.slice(axis, from, to)));
        });
    }

    @Test
    void textIsShortened() {
        assertThat(NDArray.of(1, 2.5, -3)).hasToString("[ 1., 2.5, -3.] F64(3,)");
        assertThat(NDArray.arange(4).reshape(2, 2)).hasToString("[[0, 1],\n [2, 3]] I64(2, 2)");
        assertThat(NDArray.arange(5000).toString()).isEqualTo("[   0,    1,    2, ..., 4997, 4998, 4999] I64(5000,)");
        assertThat(NDArray.arange(100).toString().lines())
                .hasSize(6)
                .allSatisfy(line -> assertThat(line).hasSizeLessThan(90))
                .contains(" 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35,");
        assertThat(NDArray.ofComplex(1, -2)).hasToString("[1.-2.j] C128(1,)");
        assertThat(NDArray.full(Math.PI, DType.F64)).hasToString("3.14159265 F64()");
    }

    @Test
    void arraysMayHaveMoreElementsThanAnInt() {
        long n = (1L << 31) + 10;
        var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        assumeThat(system.getFreeMemorySize()).isGreaterThan(3L << 30);
        assumeThat(Device.jvm().memoryUse().limit()).isGreaterThan(3L << 30);
        try (NDArray large = NDArray.empty(DType.U8, n)) { // only the pages that are touched take memory
            NDArray end = large.slice(0, (1L << 31) - 2, n);
            end.fill(0);
            large.set(7, n - 1);
            large.slice(0, 1L << 31, n).addInPlace(1);
            assertThat(large.get(n - 1)).isEqualTo(8);
            assertThat(large.get((1L << 31) - 1)).isZero();
            assertThat(large.reshape(2, -1).at(0, 1).slice(0, n / 2 - 2, n / 2).toInts())
                    .containsExactly(1, 8);
            assertThat(end.sum().get()).isEqualTo(17);
            assertThat(large.flip(0).slice(0, 0, 2).toInts()).containsExactly(8, 1);
        }
    }
}

package io.penstock.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.kernel.Bytes;
import io.penstock.kernel.ComplexDoubles;
import io.penstock.kernel.ComplexFloats;
import io.penstock.kernel.Doubles;
import io.penstock.kernel.Floats;
import io.penstock.kernel.Ints;
import io.penstock.kernel.Kernel;
import io.penstock.kernel.KernelException;
import io.penstock.kernel.Longs;
import io.penstock.kernel.WorkItem;
import io.penstock.runtime.Scope;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class KernelsOnArraysTest {
    private Scope scope;

    @BeforeEach
    void openScope() {
        scope = Scope.open();
    }

    @AfterEach
    void closeScope() {
        scope.close();
    }

    private static void copyColumn(WorkItem at, Floats a, Floats b, int column) {
        a.set(at.x(), column, b.get(at.x(), column));
    }

    @Test
    void copiesAColumn() {
        NDArray a = NDArray.zeros(DType.F32, 50, 3);
        NDArray b = NDArray.random(1, DType.F32, 50, 3);
        Kernel.of(KernelsOnArraysTest::copyColumn).over(50).launch(a, b, 1);
        for (int i = 0; i < 50; i++)
            for (int j = 0; j < 3; j++) assertThat(a.get(i, j)).isEqualTo(j == 1 ? b.get(i, j) : 0);
    }

    @Test
    void viewsOfArraysKeepTheirStrides() {
        NDArray base = NDArray.random(2, DType.F32, 3, 60);
        NDArray b = base.slice(1, 5, 55).transpose();
        NDArray a = NDArray.zeros(DType.F32, 50, 3);
        Kernel.of(KernelsOnArraysTest::copyColumn).over(50).launch(a, b, 2);
        for (int i = 0; i < 50; i++) assertThat(a.get(i, 2)).isEqualTo(base.get(2, i + 5));
        assertThatThrownBy(() ->
                        Kernel.of(KernelsOnArraysTest::copyColumn).over(51).launch(a, b, 2))
                .isInstanceOf(KernelException.class)
                .hasMessageContaining("index 50 in dimension 0; expected 0 to 49 for shape (50, 3)");
    }

    private static void all(
            WorkItem at,
            Bytes u8,
            Ints i32,
            Longs i64,
            Floats f32,
            Doubles f64,
            ComplexFloats c64,
            ComplexDoubles c128) {
        long i = at.x();
        u8.set(i, (byte) (200 + i));
        i32.set(i, (int) i + 1);
        i64.set(i, i + 2);
        f32.set(i, i + 0.5f);
        f64.set(i, i + 0.25);
        c64.set(i, (int) i, (int) -i);
        c128.set(i, c64.getIm(i), c64.getRe(i));
    }

    private static NDArray of(Map<DType, NDArray> arrays, DType type) {
        return Objects.requireNonNull(arrays.get(type));
    }

    @Test
    void eachTypeHasItsView() {
        Map<DType, NDArray> arrays = new EnumMap<>(DType.class);
        for (DType type : DType.values()) arrays.put(type, NDArray.zeros(type, 4));
        Kernel.of(KernelsOnArraysTest::all).over(4).launch(arrays.values().toArray());
        assertThat(of(arrays, DType.U8).get(3)).isEqualTo(203);
        assertThat(of(arrays, DType.I32).get(3)).isEqualTo(4);
        assertThat(of(arrays, DType.I64).get(3)).isEqualTo(5);
        assertThat(of(arrays, DType.F32).get(3)).isEqualTo(3.5);
        assertThat(of(arrays, DType.F64).get(3)).isEqualTo(3.25);
        assertThat(of(arrays, DType.C64).getComplex(3)).isEqualTo(new Complex(3, -3));
        assertThat(of(arrays, DType.C128).getComplex(3)).isEqualTo(new Complex(-3, 3));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Kernel.of(KernelsOnArraysTest::copyColumn)
                        .over(1)
                        .launch(of(arrays, DType.F64), of(arrays, DType.F32), 1))
                .withMessageContaining("argument 1 (a)")
                .withMessageContaining("is an array of Doubles; expected Floats");
    }
}

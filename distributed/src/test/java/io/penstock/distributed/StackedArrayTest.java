package io.penstock.distributed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.array.ArraySpace;
import io.penstock.array.Complex;
import io.penstock.array.DType;
import io.penstock.array.NDArray;
import org.junit.jupiter.api.Test;

class StackedArrayTest {
    @Test
    void isOneLongVector() {
        StackedArray x = StackedArray.of(NDArray.of(1, 2), StackedArray.of(NDArray.of(3), NDArray.of(4, 5, 6)));
        StackedArray y = x.copy();
        y.scale(10);
        y.axpy(2, x);
        assertThat(x.space().size()).isEqualTo(6);
        assertThat(x.dot(y).value()).isEqualTo(12.0 * (1 + 4 + 9 + 16 + 25 + 36));
        assertThat(x.norm()).isEqualTo(Math.sqrt(91));
        y.axpby(1, x, 0);
        assertThat(y.part(1, StackedArray.class).part(1, NDArray.class).toDoubles())
                .containsExactly(4, 5, 6);
        assertThat(y.overlaps(x)).isFalse();
        assertThat(StackedArray.of(x.part(0)).overlaps(x)).isTrue();
    }

    @Test
    void copiesZerosAndConjugatesNestedStacks() {
        StackedSpace space = StackedSpace.of(
                ArraySpace.of(DType.C128, 2), StackedSpace.of(ArraySpace.of(3), ArraySpace.of(DType.C64, 1)));
        StackedArray x = space.random(5);
        StackedArray y = x.copy();
        y.conjugate();
        y.conjugate();
        y.axpy(-1, x);
        assertThat(y.norm()).isZero();
        assertThat(space.zeros().norm()).isZero();
        assertThat(space.dtype()).isEqualTo(DType.C128);
        assertThat(space.as(DType.F32).dtype()).isEqualTo(DType.F32);
        x.conjugate();
        assertThat(x.dot(x).complex().im()).isZero();
    }

    @Test
    void drawsDifferentPartsForEqualSpaces() {
        StackedArray x = StackedSpace.of(ArraySpace.of(4), ArraySpace.of(4)).random(1);
        assertThat(x.part(0, NDArray.class).toDoubles())
                .isNotEqualTo(x.part(1, NDArray.class).toDoubles());
    }

    @Test
    void changesNothingWhenAFactorDoesNotSuitAPart() {
        StackedArray x = StackedArray.of(NDArray.full(1, DType.C128, 2), NDArray.of(1));
        assertThatThrownBy(() -> x.scale(Complex.I)).hasMessageContaining("alpha is 0.0+1.0i; expected a real number");
        assertThatThrownBy(() -> x.axpy(Complex.I, x)).hasMessageContaining("alpha is 0.0+1.0i");
        assertThat(x.norm()).isEqualTo(Math.sqrt(3));
        assertThatThrownBy(() -> x.part(0, DistributedArray.class)).hasMessageContaining("expected a DistributedArray");
        assertThatThrownBy(() -> x.axpy(1, StackedArray.of(NDArray.of(1)))).hasMessageContaining("expected stacks of");
    }
}

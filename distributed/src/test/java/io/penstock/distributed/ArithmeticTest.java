package io.penstock.distributed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.array.Complex;
import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.comm.Ranks;
import io.penstock.comm.Traffic;
import io.penstock.runtime.Device;
import io.penstock.runtime.Scope;
import io.penstock.testing.Seeded;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ArithmeticTest {
    @Test
    void equalsTheSameArithmeticOnOneArrayAndSendsNothing() {
        List<BinaryOperator<NDArray>> operations =
                List.of(NDArray::add, NDArray::subtract, NDArray::multiply, NDArray::divide);
        List<BinaryOperator<DistributedArray>> distributed = List.of(
                DistributedArray::add,
                DistributedArray::subtract,
                DistributedArray::multiply,
                DistributedArray::divide);
        Seeded.cases(150, random -> {
            int size = Cases.ranks(random);
            long[] shape = Cases.shape(random);
            NDArray a = Cases.numbers(random, Cases.dtype(random), shape);
            NDArray b = Cases.numbers(random, Cases.dtype(random), shape);
            Layout layout = Cases.layout(random, size, shape);
            Layout other = random.nextBoolean() ? layout : layout.asReplicated();
            int which = random.nextInt(4);
            Ranks.run(size, ranks -> {
                DistributedArray x = DistributedArray.ofGlobal(new DistributedSpace(ranks, layout, a.dtype()), a);
                DistributedArray y = DistributedArray.ofGlobal(new DistributedSpace(ranks, other, b.dtype()), b);
                Traffic before = ranks.traffic();
                DistributedArray left = distributed.get(which).apply(x, y);
                DistributedArray right = distributed.get(which).apply(y, x);
                assertThat(ranks.traffic()).isEqualTo(before);
                assertThat(left.space().layout()).isEqualTo(layout);
                assertThat(right.dtype())
                        .isEqualTo(left.dtype())
                        .isEqualTo(right.local().dtype());
                Cases.assertEqual(left.allGather(), operations.get(which).apply(a, b));
                Cases.assertEqual(right.allGather(), operations.get(which).apply(b, a));
            });
        });
    }

    @Test
    void takesNumbersAndFunctions() {
        Complex c = new Complex(0.5, -2);
        List<UnaryOperator<NDArray>> operations = List.of(
                a -> a.add(2.5),
                a -> a.subtract(c),
                a -> a.multiply(2.0),
                a -> a.multiply(c),
                a -> a.divide(3.0),
                a -> a.divide(c),
                a -> a.power(2.0),
                NDArray::negate,
                NDArray::abs,
                NDArray::conj,
                a -> a.abs().sqrt(),
                a -> a.exp().log(),
                a -> a.as(DType.C128));
        List<UnaryOperator<DistributedArray>> distributed = List.of(
                a -> a.add(2.5),
                a -> a.subtract(c),
                a -> a.multiply(2.0),
                a -> a.multiply(c),
                a -> a.divide(3.0),
                a -> a.divide(c),
                a -> a.power(2.0),
                DistributedArray::negate,
                DistributedArray::abs,
                DistributedArray::conj,
                a -> a.abs().sqrt(),
                a -> a.exp().log(),
                a -> a.as(DType.C128));
        Seeded.cases(100, random -> {
            int size = Cases.ranks(random);
            long[] shape = Cases.shape(random);
            NDArray a = Cases.numbers(random, Cases.dtype(random), shape);
            Layout layout = Cases.layout(random, size, shape);
            int which = random.nextInt(operations.size());
            Ranks.run(size, ranks -> {
                DistributedArray x = DistributedArray.ofGlobal(new DistributedSpace(ranks, layout, a.dtype()), a);
                Cases.assertEqual(
                        distributed.get(which).apply(x).allGather(),
                        operations.get(which).apply(a));
            });
        });
    }

    /** The peer dropped the imaginary part, or the fraction, when the poorer type stood on the left. */
    @Test
    void promotesWhicheverOperandStandsLeft() {
        Ranks.run(3, ranks -> {
            DistributedArray real = DistributedSpace.rows(ranks, 5).fromFunction(at -> at[0]);
            DistributedArray imaginary = real.multiply(new Complex(0, 2));
            assertThat(imaginary.getComplex(3)).isEqualTo(new Complex(0, 6));
            assertThat(real.add(imaginary).getComplex(3)).isEqualTo(new Complex(3, 6));
            DistributedArray whole = real.as(DType.I32);
            assertThat(whole.multiply(0.5).get(3)).isEqualTo(1.5);
            assertThatThrownBy(() -> real.addInPlace(imaginary)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> whole.multiplyInPlace(0.5)).isInstanceOf(IllegalArgumentException.class);
        });
    }

    @Test
    void worksInPlace() {
        Ranks.run(3, ranks -> {
            DistributedArray x = DistributedSpace.rows(ranks, 4, 2).fromFunction(at -> at[0]);
            DistributedArray row = DistributedSpace.replicated(ranks, 2).fromFunction(at -> 10.0 + at[0]);
            x.addInPlace(row);
            x.subtractInPlace(1);
            x.multiplyInPlace(x);
            x.divideInPlace(2);
            assertThat(x.get(3, 1)).isEqualTo(13 * 13 / 2.0);
            assertThatThrownBy(() -> row.addInPlace(x)).hasMessageContaining("would stretch");
        });
    }

    @Test
    void broadcastsReplicatedArraysAndRefusesOtherLayouts() {
        Ranks.run(3, ranks -> {
            DistributedArray x = DistributedSpace.rows(ranks, 4, 2).fromFunction(at -> at[0]);
            DistributedArray column = DistributedSpace.replicated(ranks, 4, 1).fromFunction(at -> -at[0]);
            assertThat(x.add(column).norm()).isZero();
            assertThat(column.add(x).space()).isEqualTo(x.space());
            DistributedArray one = DistributedSpace.replicated(ranks).fromFunction(_ -> 1);
            assertThat(x.add(one).sum().value()).isEqualTo(20);
            assertThatThrownBy(
                            () -> x.add(DistributedSpace.split(ranks, 1, 4, 2).zeros()))
                    .hasMessageContaining("does not meet");
            assertThatThrownBy(
                            () -> x.add(DistributedSpace.replicated(ranks, 3, 2).zeros()))
                    .hasMessageContaining("does not meet");
            assertThatThrownBy(
                            () -> x.axpy(1, DistributedSpace.rows(ranks, 4, 3).zeros()))
                    .hasMessageContaining("x lies in arrays of F64, (4, 3)");
        });
    }

    @Test
    void worksOnStacks() {
        Ranks.run(2, ranks -> {
            DistributedArray x = DistributedSpace.rows(ranks, 5).fromFunction(at -> at[0] + 1);
            DistributedArray whole = DistributedSpace.replicated(ranks, 2).fromFunction(at -> 10);
            StackedArray a = StackedArray.of(x, StackedArray.of(whole, NDArray.of(7, 8)));
            StackedArray b = a.add(a).multiply(a).subtract(1).divide(2).negate().abs();
            b.addInPlace(0.5);
            b.divideInPlace(a);
            b.subtractInPlace(a);
            assertThat(b.norm()).isZero();
            assertThat(b.as(DType.F32).space()).isEqualTo(a.space().as(DType.F32));
            StackedArray i = a.multiply(Complex.I);
            assertThat(i.bilinear(i).re()).isEqualTo(-i.dot(i).re());
            assertThatThrownBy(() -> a.add(StackedArray.of(x))).hasMessageContaining("other has 1 parts; expected 2");
            assertThatThrownBy(() -> a.add(StackedArray.of(x, x))).hasMessageContaining("expected a StackedArray");
        });
    }

    @Tag("host")
    @Test
    void leavesResultsToTheScopeAndNothingElse() {
        Ranks.run(1, ranks -> {
            DistributedArray x = DistributedSpace.rows(ranks, 5).as(DType.C128).random(1);
            DistributedArray[] results = new DistributedArray[2];
            long buffers = Device.jvm().memoryUse().buffers();
            try (Scope scope = Scope.open()) {
                results[0] = x.add(1);
                results[1] = scope.keep(x.norm(3, 0));
            }
            assertThat(Device.jvm().memoryUse().buffers()).isEqualTo(buffers + 1);
            assertThatThrownBy(() -> results[0].local().get(0)).hasMessageContaining("was freed");
            assertThat(results[1].get()).isPositive();
            x.norm(3);
            x.bilinear(x);
            x.sum();
            x.abs().close();
            x.getComplex(2);
            results[1].checkReplicas();
            assertThat(Device.jvm().memoryUse().buffers()).isEqualTo(buffers + 1);
        });
    }
}

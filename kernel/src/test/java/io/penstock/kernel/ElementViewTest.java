package io.penstock.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.penstock.runtime.Buffer;
import io.penstock.runtime.Scope;
import io.penstock.testing.Seeded;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ElementViewTest {
    private Scope scope;

    @BeforeEach
    void openScope() {
        scope = Scope.open();
    }

    @AfterEach
    void closeScope() {
        scope.close();
    }

    private static void assertOutside(ThrowingCallable access, String message) {
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(access)
                .withMessageContaining(message);
    }

    @Test
    void checksEachDimensionEvenWhereTheFlatIndexIsInside() {
        Floats line = Memory.floats(12);
        assertOutside(() -> line.get(12), "index 12 in dimension 0; expected 0 to 11 for shape (12,)");
        assertOutside(() -> line.set(-1, 1), "index -1 in dimension 0");
        assertOutside(() -> line.get(Long.MIN_VALUE), "index " + Long.MIN_VALUE);
        Floats sheet = Memory.floats(3, 4);
        assertOutside(() -> sheet.get(0, 4), "index 4 in dimension 1; expected 0 to 3 for shape (3, 4)");
        assertOutside(() -> sheet.set(1, -1, 0), "index -1 in dimension 1");
        assertOutside(() -> sheet.get(3, -1), "index 3 in dimension 0; expected 0 to 2");
        assertOutside(() -> sheet.get(-1, 3), "index -1 in dimension 0");
        assertOutside(() -> sheet.get(12), "index 12; expected 0 to 11 for the 12 elements of shape (3, 4)");
        Floats cube = Memory.floats(2, 3, 2);
        assertOutside(() -> cube.get(0, 0, 2), "index 2 in dimension 2; expected 0 to 1 for shape (2, 3, 2)");
        assertOutside(() -> cube.get(0, 3, 0), "index 3 in dimension 1");
        assertOutside(() -> cube.get(2, -1, 0), "index 2 in dimension 0");
        assertOutside(() -> cube.set(1, -1, 1, 0), "index -1 in dimension 1");
        assertOutside(() -> cube.get(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE), "in dimension 0");
        Floats empty = Memory.floats(3, 0);
        assertOutside(() -> empty.get(0, 0), "index 0 in dimension 1; the extent is 0 for shape (3, 0)");
        assertOutside(() -> empty.get(0), "index 0");
    }

    @Test
    void refusesAWrongNumberOfIndices() {
        Floats line = Memory.floats(12);
        Floats sheet = Memory.floats(3, 4);
        Floats cube = Memory.floats(2, 3, 2);
        assertThatIllegalStateException()
                .isThrownBy(() -> line.get(0, 0))
                .withMessage("2 indices were given for a view of shape (12,); expected 1");
        assertThatIllegalStateException().isThrownBy(() -> line.get(0, 0, 0));
        assertThatIllegalStateException().isThrownBy(() -> sheet.set(0, 0, 0, 1));
        assertThatIllegalStateException().isThrownBy(() -> cube.get(0, 0));
        Floats transposed = Floats.of(sheet.buffer(), 0, new long[] {4, 3}, new long[] {1, 4});
        assertThatIllegalStateException().isThrownBy(() -> transposed.get(0)).withMessageContaining("not in C order");
    }

    @Test
    void reachesTheElementsOfStridedViews() {
        Seeded.cases(2000, random -> {
            int rank = random.nextInt(0, 5);
            long[] base = random.longs(rank, 1, 6).toArray();
            long size = Arrays.stream(base).reduce(1, (a, b) -> a * b);
            try (Scope own = Scope.open()) {
                Longs whole = longs(size);
                for (long i = 0; i < size; i++) whole.set(i, i);
                long[] shape = new long[rank];
                long[] strides = new long[rank];
                long offset = slices(random, base, shape, strides);
                Longs view = Longs.of(whole.buffer(), offset, shape, strides);
                assertThat(view.dimensions()).isEqualTo(rank);
                for (int k = 0; k < rank; k++) assertThat(view.extent(k)).isEqualTo(shape[k]);
                for (long flat = 0; flat < view.length(); flat++) {
                    long rest = flat;
                    long[] index = new long[rank];
                    long expected = offset;
                    for (int k = rank - 1; k >= 0; k--) {
                        index[k] = rest % shape[k];
                        rest /= shape[k];
                        expected += index[k] * strides[k];
                    }
                    if (rank <= 1 || Footprint.isRowMajor(shape, strides))
                        assertThat(view.get(flat)).isEqualTo(expected);
                    if (rank == 2) assertThat(view.get(index[0], index[1])).isEqualTo(expected);
                    if (rank == 3)
                        assertThat(view.get(index[0], index[1], index[2])).isEqualTo(expected);
                }
                assertThat(own).isNotNull();
            }
        });
    }

    private static Longs longs(long size) {
        return Longs.of(Memory.bytes(8 * size), size);
    }

    /** A random sub-array with random steps, directions and order of axes; returns its offset. */
    private static long slices(SplittableRandom random, long[] base, long[] shape, long[] strides) {
        long[] full = Footprint.rowMajor(base);
        int turn = base.length == 0 ? 0 : random.nextInt(base.length);
        long offset = 0;
        for (int k = 0; k < base.length; k++) {
            int axis = (k + turn) % base.length;
            long step = random.nextLong(1, 3);
            long from = random.nextLong(0, base[axis]);
            long extent = random.nextLong(0, (base[axis] - from - 1) / step + 2);
            boolean reversed = extent > 0 && random.nextBoolean();
            shape[k] = extent;
            strides[k] = (reversed ? -step : step) * full[axis];
            offset += (reversed ? from + (extent - 1) * step : from) * full[axis];
        }
        return offset;
    }

    @Test
    void refusesElementsOutsideTheBuffer() {
        Buffer buffer = Memory.bytes(100);
        assertOutside(() -> Ints.of(buffer, 26), "does not lie within a buffer of 25 elements of 4 bytes");
        assertOutside(() -> Ints.of(buffer, 5, 6), "shape (5, 6)");
        assertOutside(() -> Ints.of(buffer, 1, new long[] {5, 5}, new long[] {5, 1}), "at offset 1");
        assertOutside(() -> Ints.of(buffer, 3, new long[] {5}, new long[] {-1}), "strides (-1,)");
        assertOutside(() -> Ints.of(buffer, -1, new long[] {1}, new long[] {1}), "at offset -1");
        assertOutside(() -> Ints.of(buffer, 26, new long[] {0}, new long[] {1}), "at offset 26");
        assertOutside(() -> Ints.of(buffer, 0, new long[] {3}, new long[] {Long.MAX_VALUE}), "does not lie within");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Ints.of(buffer, -1))
                .withMessageContaining("extent -1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Ints.of(buffer, 1L << 40, 1L << 40))
                .withMessageContaining("more than 2^63 - 1 elements");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Ints.of(buffer, 0, new long[] {1, 1}, new long[] {1}))
                .withMessageContaining("strides (1,) has 1 entries; expected 2");
        assertThat(Ints.of(buffer, 25).length()).isEqualTo(25);
        assertThat(Ints.of(buffer, 1L << 40, 1L << 40, 0).length()).isZero();
        assertThat(Ints.of(buffer, 24, new long[] {5, 5}, new long[] {-5, -1}).length())
                .isEqualTo(25);
        assertThat(Ints.of(buffer, 7, new long[] {1L << 40}, new long[] {0}).length())
                .isEqualTo(1L << 40);
        buffer.close();
        assertThatIllegalStateException().isThrownBy(() -> Ints.of(buffer, 1));
    }

    @Test
    void allTypesRoundTrip() {
        Buffer buffer = Memory.bytes(16 * 24);
        Bytes bytes = Bytes.of(buffer, 2, 3, 4);
        Ints ints = Ints.of(buffer, 2, 3, 4);
        Longs longs = Longs.of(buffer, 2, 3, 4);
        Floats floats = Floats.of(buffer, 2, 3, 4);
        Doubles doubles = Doubles.of(buffer, 2, 3, 4);
        ComplexFloats complexFloats = ComplexFloats.of(buffer, 2, 3, 4);
        ComplexDoubles complexDoubles = ComplexDoubles.of(buffer, 2, 3, 4);
        bytes.set(1, 2, 3, (byte) -7);
        assertThat(bytes.get(23)).isEqualTo((byte) -7);
        ints.set(1, 2, 3, Integer.MIN_VALUE);
        assertThat(ints.get(23)).isEqualTo(Integer.MIN_VALUE);
        longs.set(1, 2, 3, Long.MIN_VALUE + 1);
        assertThat(longs.get(23)).isEqualTo(Long.MIN_VALUE + 1);
        floats.set(1, 2, 3, 0.1f);
        assertThat(floats.get(23)).isEqualTo(0.1f);
        doubles.set(1, 2, 3, 0.1);
        assertThat(doubles.get(23)).isEqualTo(0.1);
        complexFloats.set(1, 2, 3, 1.5f, -2.5f);
        assertThat(complexFloats.getRe(23)).isEqualTo(1.5f);
        assertThat(complexFloats.getIm(1, 2, 3)).isEqualTo(-2.5f);
        assertThat(floats.get(1, 2, 3)).isNotEqualTo(1.5f);
        assertThat(Floats.of(buffer, 48).get(47)).isEqualTo(-2.5f);
        complexDoubles.set(23, 3.5, -4.5);
        assertThat(complexDoubles.getRe(1, 2, 3)).isEqualTo(3.5);
        assertThat(complexDoubles.getIm(23)).isEqualTo(-4.5);
        ComplexDoubles sheet = ComplexDoubles.of(buffer, 4, 6);
        sheet.set(3, 5, 8, 9);
        assertThat(sheet.getRe(3, 5)).isEqualTo(8);
        assertThat(complexDoubles.getIm(1, 2, 3)).isEqualTo(9);
        assertThat(bytes.planes()).isEqualTo(2);
        assertThat(bytes.rows()).isEqualTo(3);
        assertThat(bytes.columns()).isEqualTo(4);
        assertThat(Memory.floats(5).rows()).isEqualTo(1);
        assertThat(Memory.floats().length()).isEqualTo(1);
        assertThat(sheet).hasToString("ComplexDoubles(4, 6)");
    }
}

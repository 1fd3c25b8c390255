package io.penstock.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.testing.Seeded;
import java.util.BitSet;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Regions against the sets of bytes that they stand for. */
class RegionTest {
    @Test
    void overlapAndCoverAsSetsOfBytesDo() {
        Seeded.cases(20_000, random -> {
            long stride = random.nextLong(1, 9);
            Region a = random(random, stride);
            Region b = random(random, random.nextInt(4) == 0 ? random.nextLong(1, 9) : stride);
            BitSet common = bytes(a);
            common.and(bytes(b));
            boolean exact = a.rows() <= 1 || b.rows() <= 1 || a.stride() == b.stride();
            if (exact) assertThat(a.overlaps(b)).as("%s and %s", a, b).isEqualTo(!common.isEmpty());
            else if (!common.isEmpty())
                assertThat(a.overlaps(b)).as("%s and %s", a, b).isTrue();
            assertThat(b.overlaps(a)).isEqualTo(a.overlaps(b));
            boolean contains = common.equals(bytes(b));
            if (exact && !(a.rows() > 1 && b.rows() == 1))
                assertThat(a.covers(b)).as("%s covers %s", a, b).isEqualTo(contains);
            if (a.covers(b)) assertThat(contains).as("%s covers %s", a, b).isTrue();
            if (!a.isEmpty() && !b.isEmpty()) {
                BitSet union = bytes(a);
                union.or(bytes(b));
                int from = union.nextSetBit(0);
                assertThat(a.bounds(b)).isEqualTo(Region.contiguous(from, union.length() - (long) from));
            }
            assertThat(a.bounds(b).covers(a) && a.bounds(b).covers(b)).isTrue();
        });
    }

    @Test
    void holdTheBytesOfArrays() {
        Seeded.cases(20_000, random -> {
            int rank = random.nextInt(4);
            int size = 1 << random.nextInt(3);
            long[] shape = new long[rank];
            long[] strides = new long[rank];
            for (int k = 0; k < rank; k++) {
                shape[k] = random.nextInt(4);
                strides[k] = random.nextInt(-7, 8);
            }
            long offset = 200;
            BitSet expected = new BitSet();
            add(expected, offset, size, shape, strides, 0);
            Region region = Region.of(offset, size, shape, strides);
            BitSet actual = bytes(region);
            if (region.rows() > 1) assertThat(actual).isEqualTo(expected);
            BitSet missing = (BitSet) expected.clone();
            missing.andNot(actual);
            assertThat(missing.isEmpty()).isTrue();
            if (!expected.isEmpty()) {
                assertThat(region.offset()).isEqualTo(expected.nextSetBit(0));
                assertThat(region.end()).isEqualTo(expected.length());
            }
        });
    }

    @Test
    void columnsAndRectanglesOfAMatrixAreExact() {
        assertThat(Region.of(4, 4, new long[] {1000}, new long[] {2})).isEqualTo(new Region(4, 4, 1000, 8));
        assertThat(Region.of(0, 8, new long[] {10, 3}, new long[] {7, 1})).isEqualTo(new Region(0, 24, 10, 56));
        assertThat(Region.of(0, 8, new long[] {3, 10}, new long[] {1, 7})).isEqualTo(new Region(0, 24, 10, 56));
        assertThat(Region.of(0, 8, new long[] {2, 5, 3}, new long[] {35, 7, 1})).isEqualTo(new Region(0, 24, 10, 56));
        assertThat(Region.of(72, 8, new long[] {10}, new long[] {-1})).isEqualTo(Region.contiguous(0, 80));
        assertThat(Region.of(8, 8, new long[] {100, 3}, new long[] {0, 1})).isEqualTo(Region.contiguous(8, 24));
    }

    @Test
    void refuseWhatIsNoRegion() {
        assertThatThrownBy(() -> new Region(-1, 1, 1, 1)).hasMessageContaining("expected none negative");
        assertThatThrownBy(() -> new Region(0, 8, 2, 4)).hasMessageContaining("stride is 4 bytes; expected at least");
        assertThatThrownBy(() -> new Region(0, 8, Long.MAX_VALUE, 16)).hasMessageContaining("fits in a long");
        assertThatThrownBy(() -> Region.contiguous(Long.MAX_VALUE - 5, 10)).hasMessageContaining("fits in a long");
        assertThatThrownBy(() -> new Region(Long.MAX_VALUE - 5, 5, 2, 5)).hasMessageContaining("fits in a long");
        assertThat(Region.contiguous(5, 0).isEmpty()).isTrue();
        assertThat(new Region(5, 3, 4, 3)).isEqualTo(Region.contiguous(5, 12));
    }

    static Region random(SplittableRandom random, long stride) {
        long rows = random.nextLong(0, 6);
        return new Region(random.nextLong(0, 40), random.nextLong(0, stride + 1), rows, stride);
    }

    static BitSet bytes(Region region) {
        BitSet set = new BitSet();
        for (long r = 0; r < region.rows(); r++) {
            int from = Math.toIntExact(region.offset() + r * region.stride());
            set.set(from, Math.toIntExact(from + region.rowBytes()));
        }
        return set;
    }

    private static void add(BitSet set, long at, int size, long[] shape, long[] strides, int k) {
        if (k == shape.length) {
            set.set(Math.toIntExact(at), Math.toIntExact(at + size));
            return;
        }
        for (long i = 0; i < shape[k]; i++) add(set, at + i * strides[k] * size, size, shape, strides, k + 1);
    }
}

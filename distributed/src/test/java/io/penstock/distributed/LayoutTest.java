package io.penstock.distributed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.testing.Seeded;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LayoutTest {
    @Test
    void cutsAsThePeerDoes() {
        assertThat(Layout.rows(4, 10).blocks()).containsExactly(3L, 3L, 2L, 2L);
        assertThat(Layout.rows(4, 2, 5).blocks()).containsExactly(1L, 1L, 0L, 0L);
        assertThat(Layout.split(3, -1, 4, 7).blocks()).containsExactly(3L, 2L, 2L);
    }

    @Test
    void isAValue() {
        Layout even = Layout.rows(3, 7, 2);
        assertThat(even)
                .isEqualTo(Layout.blocks(0, new long[] {3, 2, 2}, 7, 2))
                .hasSameHashCodeAs(Layout.rows(3, 7, 2));
        assertThat(even).isNotEqualTo(Layout.blocks(0, new long[] {2, 3, 2}, 7, 2));
        assertThat(even).isNotEqualTo(Layout.rows(3, 7, 3)).isNotEqualTo(Layout.replicated(3, 7, 2));
        assertThat(even).hasToString("(7, 2) in blocks [3, 2, 2] along axis 0");
        assertThat(Layout.rows(12, 12))
                .hasToString("(12,) in blocks [1, 1, 1, 1, 1, 1, 1, ... of 12 ranks] along axis 0");
        assertThat(Layout.replicated(2, 5)).hasToString("(5,) replicated on 2 ranks");
    }

    @Test
    void findsTheOwnerOfEveryIndex() {
        Seeded.cases(200, random -> {
            Layout layout = cut(random, 1 + random.nextInt(16), shape(random, 3));
            long[] dims = layout.dims();
            long at = 0;
            long elements = 0;
            for (int r = 0; r < layout.ranks(); r++) {
                assertThat(layout.start(r)).isEqualTo(at);
                for (; at < layout.end(r); at++) assertThat(layout.owner(at)).isEqualTo(r);
                assertThat(layout.localShape(r)[layout.axis()]).isEqualTo(layout.block(r));
                assertThat(layout.localSize(r)).isEqualTo(product(layout.localShape(r)));
                elements += layout.localSize(r);
            }
            assertThat(at).isEqualTo(dims[layout.axis()]);
            assertThat(elements).isEqualTo(layout.size()).isEqualTo(product(dims));
        });
    }

    @Test
    void reshapesWhereNoElementMoves() {
        assertThat(Layout.rows(3, 6, 4).reshape(24)).isEqualTo(Layout.rows(3, 24));
        assertThat(Layout.split(3, 1, 4, 6, 5).reshape(4, 30)).isEqualTo(Layout.split(3, 1, 4, 30));
        assertThat(Layout.split(3, 1, 4, 6, 5).reshape(2, 2, 6, 5)).isEqualTo(Layout.split(3, 2, 2, 2, 6, 5));
        assertThat(Layout.rows(2, 12).reshape(4, 3)).isEqualTo(Layout.rows(2, 4, 3));
        assertThat(Layout.replicated(2, 12).reshape(4, 3)).isEqualTo(Layout.replicated(2, 4, 3));
        assertThatThrownBy(() -> Layout.rows(5, 12).reshape(4, 3))
                .hasMessageContaining(
                        "shape (4, 3) would move elements of (12,) in blocks [3, 3, 2, 2, 2] along axis 0")
                .hasMessageContaining("redistribute");
        assertThatThrownBy(() -> Layout.split(2, 1, 4, 6).reshape(24)).hasMessageContaining("redistribute");
        assertThatThrownBy(() -> Layout.rows(2, 12).reshape(5))
                .hasMessage("shape (5,) has 5 elements; expected 12, those of shape (12,)");
    }

    @Test
    void reshapedBlocksHoldTheSameElements() {
        Seeded.cases(300, random -> {
            Layout layout = cut(random, 1 + random.nextInt(6), shape(random, 3));
            long[] dims = layout.dims();
            long[] other = {dims[0] * dims[1], dims[2]};
            if (random.nextBoolean()) other = new long[] {dims[0], dims[1] * dims[2]};
            Layout reshaped;
            try {
                reshaped = layout.reshape(other);
            } catch (IllegalArgumentException refused) {
                assertThat(layout.axis()).isEqualTo(other[0] == dims[0] ? 2 : 1);
                return;
            }
            for (long flat = 0; flat < layout.size(); flat++)
                assertThat(ownerOf(reshaped, flat)).isEqualTo(ownerOf(layout, flat));
        });
    }

    @Test
    void dropsAndStretchesAxes() {
        Layout layout = Layout.split(2, 1, 4, 6, 5);
        assertThat(layout.without(0)).isEqualTo(Layout.split(2, 0, 6, 5));
        assertThat(layout.without(-1)).isEqualTo(Layout.split(2, 1, 4, 6));
        assertThat(layout.without(1)).isEqualTo(Layout.replicated(2, 4, 5));
        assertThat(layout.withExtent(0, 9)).isEqualTo(Layout.split(2, 1, 9, 6, 5));
        assertThat(layout.along(2)).isEqualTo(Layout.split(2, 2, 4, 6, 5));
        assertThatThrownBy(() -> layout.withExtent(1, 9)).hasMessageContaining("expected another axis");
    }

    @Test
    void refusesWhatCannotBe() {
        assertThatThrownBy(() -> Layout.rows(0, 4)).hasMessage("ranks is 0; expected 1 or more");
        assertThatThrownBy(() -> Layout.rows(2, -4)).hasMessageContaining("shape is (-4,)");
        assertThatThrownBy(() -> Layout.split(2, 2, 4, 4)).hasMessageContaining("axis is 2; expected -2 to 1");
        assertThatThrownBy(() -> Layout.split(2, -3, 4, 4)).hasMessageContaining("axis is -3");
        assertThatThrownBy(() -> Layout.blocks(0, new long[] {1, 2}, 4))
                .hasMessageContaining("add up to 3; expected 4");
        assertThatThrownBy(() -> Layout.blocks(0, new long[] {5, -1}, 4)).hasMessageContaining("no negative extent");
        assertThatThrownBy(() -> Layout.rows(2, 4).owner(4)).hasMessageContaining("index 4 along axis 0");
        assertThatThrownBy(() -> Layout.replicated(2, 4).owner(0)).isInstanceOf(IllegalStateException.class);
    }

    private static int ownerOf(Layout layout, long flat) {
        long inner = 1;
        for (int k = layout.axis() + 1; k < layout.ndim(); k++) inner *= layout.dim(k);
        return layout.owner(flat / inner % layout.dim(layout.axis()));
    }

    private static long product(long[] extents) {
        return Arrays.stream(extents).reduce(1, (a, b) -> a * b);
    }

    private static long[] shape(SplittableRandom random, int ndim) {
        return random.longs(ndim, 1, 8).toArray();
    }

    private static Layout cut(SplittableRandom random, int ranks, long[] shape) {
        int axis = random.nextInt(shape.length);
        long[] blocks = new long[ranks];
        for (long i = 0; i < shape[axis]; i++) blocks[random.nextInt(ranks)]++;
        Layout layout = Layout.blocks(axis, blocks, shape);
        assertThat(layout.blocks())
                .isEqualTo(List.copyOf(Arrays.stream(blocks).boxed().toList()));
        return layout;
    }
}

package io.penstock.runtime.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.runtime.DeviceMemoryException;
import io.penstock.testing.Seeded;
import org.junit.jupiter.api.Test;

class SizeClassTest {
    @Test
    void holdsTheRequestWithLittleSlack() {
        Seeded.cases(100_000, random -> {
            long bytes = random.nextLong(1, 1L << random.nextInt(1, 50));
            long size = SizeClass.of(bytes);
            assertThat(size).isGreaterThanOrEqualTo(bytes);
            assertThat(size % SizeClass.ALIGNMENT).isZero();
            long slack = size > SizeClass.LARGEST_SMALL ? Pages.HUGE : SizeClass.ALIGNMENT;
            assertThat(size - bytes).isLessThan(Math.max(bytes / 4 + 1, slack));
            assertThat(SizeClass.of(size)).isEqualTo(size);
            assertThat(SizeClass.of(bytes + 1)).isGreaterThanOrEqualTo(size);
        });
    }

    @Test
    void countsTheSmallSizes() {
        int expected = 0;
        for (long size = SizeClass.of(0); size <= SizeClass.LARGEST_SMALL; size = SizeClass.of(size + 1))
            assertThat(SizeClass.index(size)).isEqualTo(expected++);
        assertThat(SizeClass.SMALL).isEqualTo(expected);
    }

    @Test
    void findsTheLargestSizeThatFits() {
        for (long space = SizeClass.ALIGNMENT; space <= Pages.HUGE; space += SizeClass.ALIGNMENT) {
            long size = SizeClass.fitting(space);
            assertThat(SizeClass.of(size)).isEqualTo(size);
            assertThat(size).isLessThanOrEqualTo(space);
            if (size < SizeClass.LARGEST_SMALL)
                assertThat(SizeClass.of(size + 1)).isGreaterThan(space);
        }
    }

    @Test
    void refusesWhatCannotBeAddressed() {
        assertThatThrownBy(() -> SizeClass.of(Long.MAX_VALUE))
                .isInstanceOf(DeviceMemoryException.class)
                .hasMessageContaining("asked for " + Long.MAX_VALUE);
    }
}

package io.penstock.cli.poststack;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.array.NDArray;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class LayeredSectionTest {
    @Test
    void theSeedDecides() {
        double[] one = LayeredSection.of(30, 40, 1).toDoubles();
        assertThat(LayeredSection.of(30, 40, 1).toDoubles()).isEqualTo(one);
        assertThat(LayeredSection.of(30, 40, 2).toDoubles()).isNotEqualTo(one);
    }

    @Test
    void hasLayersOfPlausibleImpedanceAndFaults() {
        NDArray section = LayeredSection.of(200, 300, 5);
        double[] values = section.toDoubles();
        assertThat(Arrays.stream(values).min().orElseThrow()).isGreaterThan(Math.log(1));
        assertThat(Arrays.stream(values).max().orElseThrow()).isLessThan(Math.log(9));
        long layers = Arrays.stream(values).distinct().count();
        assertThat(layers).isBetween(10L, 100L);
        // A fault shifts all layers of a trace against its neighbour's, a fold only a few.
        int most = 0;
        for (int trace = 1; trace < 200; trace++) {
            int changed = 0;
            for (int i = 0; i < 300; i++) if (section.get(trace, i) != section.get(trace - 1, i)) changed++;
            most = Math.max(most, changed);
        }
        assertThat(most).isGreaterThan(30);
    }

    @Test
    void anySizeIsMade() {
        assertThat(LayeredSection.of(1, 1, 0).size()).isEqualTo(1);
        assertThat(LayeredSection.of(1, 7, 0).size()).isEqualTo(7);
        assertThat(LayeredSection.of(9, 2, 0).size()).isEqualTo(18);
    }
}

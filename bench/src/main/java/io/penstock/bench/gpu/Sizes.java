package io.penstock.bench.gpu;

import io.penstock.runtime.Device;
import java.util.List;

/**
 * How much the cases do.
 *
 * @param copy the elements of the copy and the sum
 * @param triad the elements of the triad and the map
 * @param cube the edge of the stencil's cube
 * @param transpose the edge of the matrix that is transposed; whole tiles
 * @param product the edge of the matrices that are multiplied; whole tiles
 */
record Sizes(long copy, long triad, long cube, long transpose, long product) {
    /** For a GPU with 24 GB or more. */
    static final Sizes LARGE = new Sizes(1_000_000_000, 500_000_000, 512, 16_384, 4_096);

    /** For trying it where there is none. */
    static final Sizes SMALL = new Sizes(4_000_000, 2_000_000, 96, 1_024, 256);

    static Sizes of(Device device) {
        return device.name().startsWith("cuda") ? LARGE : SMALL;
    }

    /** The arguments of the peers, in their order. */
    List<String> arguments(int rounds) {
        return List.of(
                Long.toString(copy),
                Long.toString(triad),
                Long.toString(cube),
                Long.toString(transpose),
                Long.toString(product),
                Integer.toString(rounds));
    }
}

package io.penstock.cli.plot;

/** How numbers from 0 to 1 become colours. */
public enum ColourMap {
    /** Dark blue through green to yellow, evenly brighter; for quantities from low to high. After matplotlib's viridis. */
    SEQUENTIAL(0x440154, 0x482878, 0x3E4989, 0x31688E, 0x26828E, 0x1F9E89, 0x35B779, 0x6ECE58, 0xB5DE2B, 0xFDE725),
    /** Blue through white to red, white in the middle; for differences. After ColorBrewer's RdBu. */
    DIVERGING(0x053061, 0x2166AC, 0x4393C3, 0x92C5DE, 0xF7F7F7, 0xF4A582, 0xD6604D, 0xB2182B, 0x67001F),
    /** Black through grey to white; for seismic data. */
    GREY(0x000000, 0xFFFFFF);

    @SuppressWarnings("ImmutableEnumChecker") // nobody writes to it
    private final int[] anchors;

    ColourMap(int... anchors) {
        this.anchors = anchors;
    }

    /**
     * The colour of a number.
     *
     * @param t clamped to 0 to 1
     * @return red, green and blue as 0xRRGGBB; grey for NaN
     */
    int colour(double t) {
        if (Double.isNaN(t)) return 0xC0C0C0;
        double position = Math.clamp(t, 0.0, 1.0) * (anchors.length - 1);
        int below = Math.min((int) position, anchors.length - 2);
        double weight = position - below;
        int colour = 0;
        for (int shift = 16; shift >= 0; shift -= 8) {
            int low = anchors[below] >> shift & 0xFF;
            int high = anchors[below + 1] >> shift & 0xFF;
            colour |= (int) Math.round(low + weight * (high - low)) << shift;
        }
        return colour;
    }
}

package io.penstock.cli.poststack;

/** The shapes of wavelet that the job offers. */
enum WaveletKind {
    RICKER(1),
    ORMSBY(4);

    private final int frequencies;

    WaveletKind(int frequencies) {
        this.frequencies = frequencies;
    }

    /** How many frequencies describe a wavelet of this kind. */
    int frequencies() {
        return frequencies;
    }
}

package io.penstock.bench.scaling;

/**
 * How large the problems are on one device.
 *
 * @param lines sections of the smaller and of the larger post-stack problem, each of 267 traces of 550 samples
 * @param edge the edge of the Laplacian's cube
 * @param matrix the rows and columns of the product's matrices
 * @param frequencies of the multidimensional convolution
 * @param stations its sources, and its receivers
 * @param times its samples, an odd number
 * @param columns its virtual sources
 */
record ScalingSizes(Lines lines, long edge, long matrix, long frequencies, long stations, long times, long columns) {
    static final ScalingSizes FULL = new ScalingSizes(new Lines(100, 1000), 1024, 16384, 256, 1024, 1025, 8);
    static final ScalingSizes REDUCED = new ScalingSizes(new Lines(4, 12), 64, 256, 16, 32, 65, 2);

    /**
     * Numbers of sections.
     *
     * @param small of the smaller problem
     * @param large of the larger one
     */
    record Lines(long small, long large) {}
}

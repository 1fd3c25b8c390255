package io.penstock.bench;

import io.penstock.array.ArraySpace;
import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.operator.Laplacian;
import io.penstock.operator.LinearOperator;
import io.penstock.operator.SecondDerivative;
import io.penstock.runtime.Scope;
import io.penstock.runtime.jvm.JvmDevice;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Dense vector loops and stencils against C, in and out of cache. */
@Command(
        name = "dense",
        description = "axpy, scale, copy, dot, 3-point stencil and 7-point Laplacian against C.",
        mixinStandardHelpOptions = true)
final class DenseBench implements Runnable {
    @Option(names = "--pairs", defaultValue = "41", description = "Timed pairs a row (default ${DEFAULT-VALUE}).")
    private int pairs;

    @Option(
            names = "--sizes",
            split = ",",
            defaultValue = "10000,10000000",
            description = "Elements an array (default ${DEFAULT-VALUE}).")
    private List<Long> sizes = List.of();

    @Override
    public void run() {
        Peer peer = Peer.compile().orElse(null);
        if (peer == null) {
            System.out.println("no C compiler was found (cc, gcc, clang); install one to compare with C");
            return;
        }
        int available = JvmDevice.instance().threads();
        System.out.println(Ratio.header("C"));
        for (int threads = 1; threads <= Math.min(2, available); threads++)
            for (DType dtype : List.of(DType.F32, DType.F64))
                for (long n : sizes) rows(peer, dtype, n, threads, available);
    }

    private void rows(Peer peer, DType dtype, long n, int threads, int available) {
        JvmDevice.instance().sharing(Math.max(1, available / threads), () -> {
            try (Scope _ = Scope.open()) {
                vectors(peer, dtype, n, threads);
                stencils(peer, dtype, n, threads);
            }
        });
    }

    private void vectors(Peer peer, DType dtype, long n, int threads) {
        NDArray x = NDArray.random(1, dtype, n);
        NDArray y = NDArray.random(2, dtype, n);
        long px = x.address();
        long py = y.address();
        Peer.Loop axpy = peer.loop("axpy", dtype);
        Peer.Loop scale = peer.loop("scale", dtype);
        Peer.Loop copy = peer.loop("copy", dtype);
        Peer.Dot dot = peer.dot(dtype);
        double[] sink = new double[1];
        report("axpy", dtype, n, threads, () -> y.axpy(1e-9, x), () -> axpy.run(1e-9, px, py, n, threads));
        report("scale", dtype, n, threads, () -> y.scale(0.9999999), () -> scale.run(0.9999999, px, py, n, threads));
        report(
                "dot",
                dtype,
                n,
                threads,
                () -> sink[0] += x.localDot(y).re(),
                () -> sink[0] += dot.run(px, py, n, threads));
        report("copy", dtype, n, threads, () -> y.assign(x), () -> copy.run(0, px, py, n, threads));
        if (Double.isNaN(sink[0])) throw new IllegalStateException("dot gave NaN");
    }

    private void stencils(Peer peer, DType dtype, long n, int threads) {
        ArraySpace line = ArraySpace.of(dtype, n);
        compare("3-point stencil", peer.loop("stencil", dtype), SecondDerivative.of(line, 0), line, n, threads);
        long edge = Math.round(Math.cbrt((double) n));
        ArraySpace cube = ArraySpace.of(dtype, edge, edge, edge);
        compare(
                "7-point Laplacian",
                peer.loop("laplacian", dtype),
                Laplacian.along(0, 1, 2).on(cube),
                cube,
                edge,
                threads);
    }

    private void compare(
            String what,
            Peer.Loop loop,
            LinearOperator<NDArray, NDArray> operator,
            ArraySpace space,
            long n,
            int threads) {
        NDArray x = space.random(3);
        NDArray y = space.empty();
        long px = x.address();
        long py = y.address();
        report(
                what,
                space.dtype(),
                space.size(),
                threads,
                () -> operator.forward(x, y),
                () -> loop.run(1, px, py, n, threads));
    }

    private void report(String what, DType dtype, long n, int threads, Runnable ours, Runnable theirs) {
        String label =
                what + " " + dtype.toString().toLowerCase(java.util.Locale.ROOT) + " n=" + n + " threads=" + threads;
        System.out.println(Ratio.of(ours, theirs, pairs).row(label));
    }
}

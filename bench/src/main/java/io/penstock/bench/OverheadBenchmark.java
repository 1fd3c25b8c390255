package io.penstock.bench;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.kernel.Doubles;
import io.penstock.kernel.Kernel;
import io.penstock.kernel.RangedKernel;
import io.penstock.kernel.WorkItem;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What the smallest operations cost: allocation, a kernel launch and vector operations on a thousand elements. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 1,
        jvmArgsAppend = {"--add-modules=jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED"})
public class OverheadBenchmark {
    private final NDArray x = NDArray.random(1, DType.F64, 1000);
    private final NDArray y = NDArray.random(2, DType.F64, 1000);
    private final RangedKernel one = Kernel.of(OverheadBenchmark::increment).over(1);

    static void increment(WorkItem at, Doubles a) {
        a.set(at.x(), a.get(at.x()) + 1);
    }

    /** Allocates 1 KiB and frees it. */
    @Benchmark
    public void allocateAndClose() {
        NDArray.empty(DType.F64, 128).close();
    }

    /** Launches a kernel over one item. */
    @Benchmark
    public void launchKernel() {
        one.launch(y);
    }

    /** {@code y += a x} on 1000 doubles. */
    @Benchmark
    public void axpy() {
        y.axpy(1e-9, x);
    }

    /** The dot product of 1000 doubles. */
    @Benchmark
    public double dot() {
        return x.localDot(y).re();
    }
}

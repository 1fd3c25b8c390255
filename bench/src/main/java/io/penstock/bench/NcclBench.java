package io.penstock.bench;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.comm.Communicator;
import io.penstock.comm.Ranks;
import io.penstock.comm.ReduceOp;
import io.penstock.runtime.Device;
import io.penstock.runtime.MemorySize;
import io.penstock.runtime.Scope;
import io.penstock.runtime.cuda.CudaDevice;
import java.io.PrintWriter;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** All-reduces between all GPUs, a thread for each, against C by the same library in the same process, turn and turn about. */
@Command(
        name = "nccl",
        description = "All-reduces between the GPUs of this machine against C by the same NCCL.",
        mixinStandardHelpOptions = true)
final class NcclBench implements Callable<Integer> {
    private static final int TURNS = 7;
    /** As much as small calls are repeated within a turn. */
    private static final int ROUNDS = 200;

    private static final long LARGE = 1L << 20;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Option(names = "--most", paramLabel = "SIZE", description = "The largest array. Default: ${DEFAULT-VALUE}.")
    private String most = "1g";

    @Override
    public Integer call() {
        List<CudaDevice> gpus = Device.all().stream()
                .filter(CudaDevice.class::isInstance)
                .map(CudaDevice.class::cast)
                .toList();
        if (gpus.isEmpty()) throw new ParameterException(spec.commandLine(), "there is no CUDA device");
        long largest = Math.max(8, MemorySize.parse("--most", most));
        InC peer = InC.open(gpus, largest);
        PrintWriter out = spec.commandLine().getOut();
        out.println("all-reduce of F32 between " + gpus.size() + " GPU(s); median of " + TURNS + " turns, us");
        out.printf("%-12s %12s %12s %7s %12s%n", "bytes", "penstock", "C", "ratio", "GB/s");
        Ranks.run(gpus.size(), ranks -> {
            Device device = gpus.get(ranks.rank());
            try (Communicator nccl = Communicator.of(ranks, device)) {
                for (long bytes = 8; bytes <= largest; bytes *= 8) {
                    String line = measure(nccl, device, bytes, peer);
                    if (ranks.rank() == 0) out.print(line);
                }
            }
        });
        out.flush();
        return 0;
    }

    private static String measure(Communicator nccl, Device device, long bytes, InC peer) {
        int rounds = Math.clamp(ROUNDS * LARGE / bytes, 5, ROUNDS);
        double[] ours = new double[TURNS];
        double[] theirs = new double[TURNS];
        try (Scope _ = Scope.open()) {
            NDArray data = NDArray.empty(device, DType.F32, bytes / 4);
            data.fill(0);
            for (int turn = -2; turn < TURNS; turn++) {
                double our = ours(nccl, data, rounds);
                double their = nccl.rank() == 0 ? peer.allReduce(bytes, rounds) : 0;
                nccl.barrier();
                if (turn < 0) continue;
                ours[turn] = our;
                theirs[turn] = their;
            }
        }
        Arrays.sort(ours);
        Arrays.sort(theirs);
        double our = ours[TURNS / 2];
        double their = theirs[TURNS / 2];
        return String.format(
                Locale.ROOT,
                "%-12d %12.2f %12.2f %7.3f %12.3f%n",
                bytes,
                our * 1e6,
                their * 1e6,
                our / their,
                bytes / our / 1e9);
    }

    /** Seconds for one. */
    private static double ours(Communicator nccl, NDArray data, int rounds) {
        data.buffer().await(data.region(), true);
        nccl.barrier();
        long begin = System.nanoTime();
        for (int i = 0; i < rounds; i++) nccl.allReduce(data, ReduceOp.SUM);
        data.buffer().await(data.region(), true);
        nccl.barrier();
        return (System.nanoTime() - begin) * 1e-9 / rounds;
    }

    /** The same in C. */
    private record InC(MethodHandle allReduce) {
        static InC open(List<CudaDevice> gpus, long capacity) {
            SymbolLookup c = Peer.library("nccl.c")
                    .orElseThrow(() -> new IllegalStateException("no C compiler to build the peer with"));
            MethodHandle open = Linker.nativeLinker()
                    .downcallHandle(
                            c.findOrThrow("nccl_open"),
                            FunctionDescriptor.of(JAVA_DOUBLE, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
            String named = System.getenv("PENSTOCK_NCCL");
            Arena arena = Arena.global();
            try {
                double code = (double) open.invokeExact(
                        arena.allocateFrom(named == null ? "libnccl.so.2" : named)
                                .address(),
                        arena.allocateFrom(gpus.getFirst().driverFile()).address(),
                        (long) gpus.size(),
                        capacity);
                if (code != 0) throw new IllegalStateException("the C program cannot set NCCL up: step " + code);
            } catch (RuntimeException e) {
                throw e;
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
            return new InC(Linker.nativeLinker()
                    .downcallHandle(
                            c.findOrThrow("nccl_all_reduce"),
                            FunctionDescriptor.of(JAVA_DOUBLE, JAVA_LONG, JAVA_LONG)));
        }

        double allReduce(long bytes, int rounds) {
            try {
                double seconds = (double) allReduce.invokeExact(bytes, (long) rounds);
                if (seconds < 0) throw new IllegalStateException("an all-reduce of the C program failed");
                return seconds;
            } catch (RuntimeException e) {
                throw e;
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
        }
    }
}

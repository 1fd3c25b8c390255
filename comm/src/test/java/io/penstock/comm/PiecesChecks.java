package io.penstock.comm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.array.Complex;
import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.runtime.Access;
import io.penstock.runtime.Device;
import io.penstock.runtime.Scope;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * What two processes do with arrays that travel in pieces, of 48 bytes here. The first argument says what, the second on which device.
 */
final class PiecesChecks {
    /** Elements of F64 in a piece. */
    private static final int PIECE = 6;

    private PiecesChecks() {}

    /** Runs a check on both ranks; rank 0 says so when it has passed. */
    public static void main(String[] args) {
        Ranks.run(args, ranks -> {
            Device device = Device.named(args[1]);
            switch (args[0]) {
                case "pieces" -> pieces(ranks, device, args.length > 2 ? Integer.parseInt(args[2]) : 1);
                case "dies" -> dies(ranks, device);
                case "fails" -> fails(ranks, device);
                default -> throw new IllegalArgumentException("no check is called " + args[0]);
            }
            ranks.barrier();
            if (ranks.rank() == 0) System.out.println("PASSED " + args[0] + " on " + ranks.name());
        });
    }

    /** Arrays of both ranks on the device, or of one of them, or of none. */
    static void pieces(Communicator ranks, Device device, int rounds) {
        SplittableRandom random = new SplittableRandom(20261130);
        for (int placement = 0; placement < 4; placement++) {
            Device mine = (placement >> ranks.rank() & 1) == 0 ? device : Device.jvm();
            new Program(ranks, ranks.rank(), random.nextLong(), 20 * rounds, mine).run();
            for (int i = 0; i < 12 * rounds; i++)
                try (Scope _ = Scope.open()) {
                    boundary(ranks, mine, random.nextLong());
                }
        }
        disagreement(ranks);
    }

    /** A message and a broadcast whose lengths are about a whole number of pieces. */
    private static void boundary(Communicator ranks, Device device, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int size = Math.max(0, PIECE * random.nextInt(2 * Ferry.SLOTS) + random.nextInt(3) - 1);
        int from = random.nextInt(2);
        SplittableRandom own = new SplittableRandom(seed + ranks.rank());
        View view = View.of(own, DType.F64, size);
        if (ranks.rank() == from)
            for (int i = 0; i < size; i++) view.set(i, new Complex((double) (seed % 1000 + i), 0));
        View there = view.to(device);
        if (random.nextInt(3) == 0) ranks.broadcast(there.array(), from);
        else if (ranks.rank() == from) {
            if (own.nextBoolean()) ranks.send(there.array(), 1 - from, 3);
            else ranks.isend(there.array(), 1 - from, 3).await();
        } else if (own.nextBoolean()) ranks.receive(there.array(), from, 3);
        else ranks.ireceive(there.array(), from, 3).await();
        View here = there.to(Device.jvm());
        for (int i = 0; i < size; i++)
            assertThat(here.get(i).re()).as("%d of %d", i, size).isEqualTo((double) (seed % 1000 + i));
        assertThat(there.isGuardIntact()).isTrue();
    }

    /** Two pieces where one is expected: what the receiver expects has come by then, and yet it must notice. */
    private static void disagreement(Communicator ranks) {
        if (ranks.rank() == 0) ranks.send(NDArray.full(1, DType.F64, 2 * PIECE), 1, 9);
        else {
            assertThatThrownBy(() -> ranks.receive(NDArray.zeros(DType.F64, PIECE), 0, 9))
                    .isInstanceOf(CommunicatorException.class)
                    .hasMessageContaining("receive(6 x F64 from rank 0, tag 9)");
            ranks.receive(NDArray.zeros(DType.F64, 0), 0, 9);
        }
    }

    /** Rank 1 is gone in the middle of a message of many pieces. */
    private static void dies(Communicator ranks, Device device) {
        NDArray data = NDArray.full(1, DType.F64, 100_000).to(device);
        ranks.barrier();
        if (ranks.rank() == 1)
            Thread.ofPlatform().start(() -> {
                LockSupport.parkNanos(300_000_000);
                Runtime.getRuntime().halt(137);
            });
        while (true)
            if (ranks.rank() == 1) ranks.send(data, 0, 0);
            else ranks.receive(data, 1, 0);
    }

    /** What rank 1 sends is never computed. */
    private static void fails(Communicator ranks, Device device) {
        NDArray data = NDArray.full(1, DType.F64, 1_000).to(device);
        if (ranks.rank() == 1) {
            Device.jvm().newQueue().submit(List.of(Access.write(data.buffer())), () -> {
                throw new IllegalStateException("boom");
            });
            ranks.send(data, 0, 0);
        } else ranks.receive(data, 1, 0);
    }
}

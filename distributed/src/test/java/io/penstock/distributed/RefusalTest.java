package io.penstock.distributed;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.array.Complex;
import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.comm.Communicator;
import io.penstock.comm.Ranks;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class RefusalTest {
    /** Mistakes that every rank makes alike; more ranks than rows, so that some have no elements. */
    private static final List<Consumer<Communicator>> MISTAKES = List.of(
            ranks -> rows(ranks).add(DistributedSpace.split(ranks, 1, 3, 4).zeros()),
            ranks -> rows(ranks).add(DistributedSpace.replicated(ranks, 2, 4).zeros()),
            ranks -> rows(ranks).axpy(1, DistributedSpace.rows(ranks, 4, 4).zeros()),
            ranks -> rows(ranks).scale(Complex.I),
            ranks -> rows(ranks).axpy(Complex.I, rows(ranks)),
            ranks -> rows(ranks).addInPlace(rows(ranks).as(DType.C128)),
            ranks -> rows(ranks).as(DType.I32).multiplyInPlace(0.5),
            ranks -> rows(ranks).as(DType.C64).max(),
            ranks -> rows(ranks).as(DType.C64).min(0),
            ranks -> rows(ranks).norm(Double.NaN),
            ranks -> rows(ranks).norm(Double.NaN, 1),
            ranks -> rows(ranks).sum(2),
            ranks -> rows(ranks).max(-3),
            ranks -> rows(ranks).get(3, 0),
            ranks -> rows(ranks).set(1, 0, 4),
            ranks -> rows(ranks).set(Complex.I, 2, 0),
            ranks -> rows(ranks).reshape(5),
            ranks -> DistributedSpace.split(ranks, 1, 3, 4).zeros().ravel(),
            ranks -> rows(ranks).redistribute(2),
            ranks -> rows(ranks).redistribute(Layout.rows(5, 4, 3)),
            ranks -> rows(ranks).redistribute(Layout.rows(4, 3, 4)),
            ranks -> rows(ranks).checkReplicas(),
            ranks -> DistributedArray.ofGlobal(rows(ranks).space(), NDArray.of(1)),
            ranks -> StackedArray.of(rows(ranks)).add(StackedArray.of(NDArray.of(1))));

    private static DistributedArray rows(Communicator ranks) {
        return DistributedSpace.rows(ranks, 3, 4).zeros();
    }

    @Test
    void everyRankThrowsTheSameAndCanGoOn() {
        List<List<String>> messages = Ranks.call(5, ranks -> {
            List<String> own = new ArrayList<>();
            for (Consumer<Communicator> mistake : MISTAKES) {
                try {
                    mistake.accept(ranks);
                    own.add("mistake " + own.size() + " was let through");
                } catch (IllegalArgumentException | IllegalStateException | IndexOutOfBoundsException e) {
                    own.add(e.getClass().getSimpleName() + ": " + e.getMessage());
                }
            }
            ranks.barrier();
            return own;
        });
        assertThat(new HashSet<>(messages)).as("messages by rank: %s", messages).hasSize(1);
        assertThat(messages.getFirst()).noneMatch(message -> message.contains("let through"));
        assertThat(messages.getFirst()).noneMatch(message -> message.endsWith("null"));
    }
}

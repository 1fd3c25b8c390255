package io.penstock.comm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.runtime.Device;
import io.penstock.runtime.Scope;
import io.penstock.testing.Seeded;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;

/** Ranks that fail, disagree, end early, wait in vain or are interrupted: every one of them must end, and say why. */
class FailureTest {
    private static final RanksOptions SHORT = RanksOptions.defaults().withDeadline(Duration.ofSeconds(20));

    private static final class Boom extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Boom() {
            super("boom");
        }
    }

    private static AbstractThrowableAssert<?, ? extends Throwable> failureOf(int ranks, RankProgram body) {
        return assertThatThrownBy(() -> Ranks.run(ranks, SHORT, body)).isInstanceOf(CommunicatorException.class);
    }

    @Test
    void anExceptionAtAnyMomentEndsAllRanksAndLeavesNothingBehind() {
        long before = Device.jvm().memoryUse().live();
        Seeded.cases(400, random -> {
            int ranks = 1 + random.nextInt(8);
            int victim = random.nextInt(ranks);
            int moment = random.nextInt(12);
            long seed = random.nextLong();
            Map<Integer, Thread> threads = new ConcurrentHashMap<>();
            Map<Integer, Throwable> seen = new ConcurrentHashMap<>();
            Throwable boom = random.nextBoolean() ? new Boom() : new AssertionError("boom");
            failureOf(ranks, communicator -> {
                        threads.put(communicator.rank(), Thread.currentThread());
                        try (Scope _ = Scope.open()) {
                            new Program(communicator, communicator.rank(), seed, 12).run(step -> {
                                if (communicator.rank() == victim && step == moment) raise(boom);
                            });
                            communicator.barrier();
                        } catch (Throwable e) {
                            seen.put(communicator.rank(), e);
                            throw e;
                        }
                    })
                    .hasMessageStartingWith("rank " + victim + " failed: ")
                    .hasCause(boom)
                    .hasNoSuppressedExceptions();
            assertThat(seen).hasSize(ranks);
            seen.forEach((rank, e) -> {
                if (rank == victim) assertThat(e).isSameAs(boom);
                else assertThat(e).isInstanceOf(CommunicatorException.class).hasCause(boom);
            });
            assertThat(threads.values()).hasSize(ranks).noneMatch(Thread::isAlive);
        });
        assertThat(Device.jvm().memoryUse().live()).isEqualTo(before);
    }

    private static void raise(Throwable e) {
        if (e instanceof Error error) throw error;
        throw (RuntimeException) e;
    }

    @Test
    void aRankThatComputesIsEndedAtItsNextCall() {
        CountDownLatch failed = new CountDownLatch(1);
        failureOf(2, ranks -> {
                    if (ranks.rank() == 0) {
                        failed.countDown();
                        throw new Boom();
                    }
                    failed.await();
                    while (true) ranks.isend(NDArray.of(1), 0, 0);
                })
                .hasCauseInstanceOf(Boom.class);
    }

    @Test
    void aRankThatSleepsIsInterrupted() {
        failureOf(2, ranks -> {
                    if (ranks.rank() == 0) throw new Boom();
                    Thread.sleep(600_000);
                })
                .hasCauseInstanceOf(Boom.class)
                .satisfies(e -> assertThat(e.getSuppressed()).hasOnlyElementsOfType(InterruptedException.class));
    }

    @Test
    void ranksThatFailAlikeAreNamedAndShownOnce() {
        failureOf(3, ranks -> {
                    CountDownLatch both = new CountDownLatch(1);
                    both.await(10L * ranks.rank(), TimeUnit.MILLISECONDS);
                    if (ranks.rank() < 2) throw new IllegalArgumentException("rows is -1");
                    throw new Boom();
                })
                .hasMessageMatching("rank 0 failed: java.lang.IllegalArgumentException: rows is -1 \\(before its first"
                        + " call\\); alike failed rank 1")
                .hasCauseInstanceOf(IllegalArgumentException.class)
                .satisfies(e -> assertThat(e.getSuppressed()).hasOnlyElementsOfType(Boom.class));
    }

    @Test
    void theCallIsToldThatWasUnderWayOrTheOneBefore() {
        failureOf(1, ranks -> {
                    ranks.barrier();
                    throw new Boom();
                })
                .hasMessageEndingWith("(after call 1 barrier())");
        failureOf(1, ranks -> {
                    ranks.barrier();
                    ranks.send(NDArray.of(1), 7, 0);
                })
                .hasMessageContaining("rank 0 failed")
                .hasMessageNotContaining("after call");
    }

    @Test
    void aGroupOfSomeRanksFailsWithTheOthers() {
        failureOf(4, ranks -> {
                    Communicator pair = ranks.split(ranks.rank() / 2, 0);
                    if (ranks.rank() == 3) throw new Boom();
                    while (true) pair.barrier();
                })
                .hasMessageStartingWith("rank 3 failed")
                .hasCauseInstanceOf(Boom.class);
    }

    @Test
    void anExceptionPassesThroughTheClosingOfACommunicator() {
        failureOf(3, ranks -> {
                    try (Communicator same = ranks.split(0, 0)) {
                        if (same.rank() == 1) throw new Boom();
                        same.barrier();
                    }
                })
                .hasMessageStartingWith("rank 1 failed")
                .hasCauseInstanceOf(Boom.class);
    }

    @Test
    void interruptingTheCallerEndsAllRanks() throws InterruptedException {
        CountDownLatch running = new CountDownLatch(3);
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        AtomicReference<Boolean> flag = new AtomicReference<>();
        Thread caller = Thread.ofPlatform().start(() -> {
            try {
                Ranks.run(3, ranks -> {
                    running.countDown();
                    if (ranks.rank() == 0) Thread.sleep(600_000);
                    ranks.barrier();
                });
            } catch (Throwable e) {
                thrown.set(e);
                flag.set(Thread.currentThread().isInterrupted());
            }
        });
        running.await();
        caller.interrupt();
        caller.join();
        assertThat(thrown.get())
                .isInstanceOf(CommunicatorException.class)
                .hasMessageContaining("was interrupted")
                .hasCauseInstanceOf(InterruptedException.class);
        assertThat(flag.get()).isTrue();
    }

    @Test
    void everyKindOfDisagreementIsToldWithWhoCalledWhat() {
        disagreement("the kind", "rank 0: barrier()", "rank 1: broadcast(3 x F64, root 0)", ranks -> {
            if (ranks.rank() == 0) ranks.barrier();
            else ranks.broadcast(NDArray.zeros(DType.F64, 3), 0);
        });
        disagreement(
                "the root",
                "rank 0: broadcast(3 x F64, root 0)",
                "rank 1: broadcast(3 x F64, root 1)",
                ranks -> ranks.broadcast(NDArray.zeros(DType.F64, 3), ranks.rank() == 0 ? 0 : 1));
        disagreement(
                "the operation",
                "rank 0: reduce(MIN, 2 x I32, root 1)",
                "rank 1: reduce(MAX, 2 x I32, root 1)",
                ranks -> ranks.reduce(NDArray.zeros(DType.I32, 2), ranks.rank() == 0 ? ReduceOp.MIN : ReduceOp.MAX, 1));
        disagreement(
                "the element type",
                "rank 0: allReduce(SUM, 2 x F32)",
                "rank 1: allReduce(SUM, 2 x F64)",
                ranks -> ranks.allReduce(NDArray.zeros(ranks.rank() == 0 ? DType.F32 : DType.F64, 2), ReduceOp.SUM));
        disagreement(
                "the number of elements",
                "rank 0: allReduce of a double[](SUM, 1 values)",
                "rank 1: allReduce of a double[](SUM, 2 values)",
                ranks -> ranks.allReduce(new double[2], ranks.rank() == 0 ? 1 : 2, ReduceOp.SUM));
        disagreement(
                "the number of elements",
                "rank 0: allGather(gives [4], takes [4, 4], F64)",
                "rank 1: allGather(gives [5], takes [4, 4], F64)",
                ranks -> ranks.iallGather(
                                NDArray.zeros(DType.F64, ranks.rank() == 0 ? 4 : 5),
                                List.of(NDArray.zeros(DType.F64, 4), NDArray.zeros(DType.F64, 4)))
                        .await());
    }

    private static void disagreement(String what, String first, String second, Consumer<Communicator> call) {
        Map<Integer, Throwable> seen = new ConcurrentHashMap<>();
        List<String> thrown = new ArrayList<>();
        failureOf(2, ranks -> {
                    try {
                        call.accept(ranks);
                    } catch (CommunicatorException e) {
                        seen.put(ranks.rank(), e);
                        throw e;
                    }
                })
                .hasMessageContaining("disagree about " + what + " of collective 1 of the in-process group of 2 ranks")
                .hasMessageContaining(first)
                .hasMessageContaining(second)
                .satisfies(e -> thrown.add(e.getMessage()));
        assertThat(seen.values()).hasSize(2).extracting(Throwable::getMessage).hasSameElementsAs(thrown);
    }

    @Test
    void senderAndReceiverOfDifferentSizesAreBothTold() {
        failureOf(2, ranks -> {
                    if (ranks.rank() == 0) ranks.send(NDArray.zeros(DType.F64, 3), 1, 4);
                    else ranks.receive(NDArray.zeros(DType.F32, 3), 0, 4);
                })
                .hasMessageContaining("rank 0: send(3 x F64 to rank 1, tag 4)")
                .hasMessageContaining("rank 1: receive(3 x F32 from rank 0, tag 4)");
    }

    @Test
    void aRankThatEndsWhileOthersNeedItIsNamedAtOnce() {
        failureOf(3, ranks -> {
                    if (ranks.rank() != 1) ranks.barrier();
                })
                .hasMessageContaining("rank 1 ended without taking part in collective 1");
        failureOf(3, ranks -> {
                    if (ranks.rank() == 0) ranks.receive(NDArray.of(1), 2, 9);
                })
                .hasMessageContaining("rank 2 ended, but rank 0 waits for it in receive(1 x F64 from rank 2, tag 9)");
        failureOf(2, ranks -> {
                    if (ranks.rank() == 0) {
                        Request barrier = ranks.ibarrier();
                        while (!barrier.isDone()) Thread.onSpinWait();
                    }
                })
                .hasMessageContaining("rank 1 ended without taking part");
    }

    @Test
    void ranksThatWaitForEachOtherAreToldAtOnce() {
        failureOf(2, ranks -> {
                    int other = 1 - ranks.rank();
                    ranks.send(NDArray.of(1, 2), other, 0);
                    ranks.receive(NDArray.of(1, 2), other, 0);
                })
                .hasMessageContaining("all ranks wait for each other")
                .hasMessageContaining("rank 0: waits for rank 1 to receive; call 1 send(2 x F64 to rank 1, tag 0)");
        failureOf(3, ranks -> {
                    if (ranks.rank() == 2) ranks.receive(NDArray.of(1), 0, 0);
                    else ranks.barrier();
                })
                .hasMessageContaining("all ranks wait for each other")
                .hasMessageContaining("rank 1: waits for rank 2; call 1 barrier()");
    }

    @Test
    void whatWasBegunMustBeAwaited() {
        failureOf(2, ranks -> {
                    if (ranks.rank() == 0) ranks.isend(NDArray.of(1), 1, 5);
                    else ranks.receive(NDArray.of(1), 0, 5);
                })
                .hasMessageContaining(
                        "rank 0 ended without awaiting what it had begun: send(1 x F64 to rank 1, tag 5)");
        failureOf(2, ranks -> {
                    try (Communicator same = ranks.split(0, 0)) {
                        same.ibarrier();
                    }
                })
                .hasMessageContaining("without awaiting what it had begun: barrier()");
    }

    @Test
    void badArgumentsAreRefusedBeforeAnythingIsSent() {
        Ranks.run(2, ranks -> {
            NDArray data = NDArray.of(1);
            NDArray complex = NDArray.zeros(DType.C64, 1);
            refused("root is 2; expected 0 to 1", () -> ranks.broadcast(data, 2));
            refused("destination is -1", () -> ranks.send(data, -1, 0));
            refused("tag is -3", () -> ranks.receive(data, 0, -3));
            refused("op is MIN for elements of C64", () -> ranks.allReduce(complex, ReduceOp.MIN));
            refused("count is 3; expected 0 to 2", () -> ranks.allReduce(new double[2], 3, ReduceOp.SUM));
            refused("into has 1 arrays; expected 2", () -> ranks.allGather(data, List.of(data)));
            refused("into[1] is of type C64; expected F64", () -> ranks.allGather(data, List.of(data, complex)));
            refused("colour is -1", () -> ranks.split(-1, 0));
            assertThat(ranks.traffic()).isEqualTo(new Traffic(0, 0));
        });
    }

    private static void refused(String message, Runnable call) {
        assertThatThrownBy(call::run)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void aClosedCommunicatorSaysSo() {
        Ranks.run(2, ranks -> {
            Communicator same = ranks.split(0, 0);
            same.close();
            same.close();
            assertThatThrownBy(same::barrier)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("was closed on rank " + ranks.rank());
        });
    }

    @Test
    void anArrayClosedWhileItIsBeingSentIsSentAllTheSame() {
        Ranks.run(2, ranks -> {
            NDArray data = NDArray.of(1, 2, 3);
            if (ranks.rank() == 0) {
                Request request = ranks.isend(data, 1, 0);
                data.close();
                request.await();
            } else {
                Thread.sleep(20);
                NDArray got = NDArray.zeros(DType.F64, 3);
                ranks.receive(got, 0, 0);
                assertThat(got.toDoubles()).containsExactly(1, 2, 3);
            }
        });
    }
}

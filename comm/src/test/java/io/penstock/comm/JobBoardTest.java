package io.penstock.comm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** The board of a job, with seats of ranks that are only said to wait or to stand still. */
class JobBoardTest {
    private static final String TOKEN = "token";

    private final BlockingQueue<Integer> asked = new LinkedBlockingQueue<>();
    private final CompletableFuture<String> end = new CompletableFuture<>();
    private final JobBoard board = open();

    private static JobBoard open() {
        try {
            return JobBoard.open(InetAddress.getLoopbackAddress(), TOKEN, 2);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private JobSeat seat(int rank, JobLine.Word doing, LongSupplier wait) {
        Supplier<String> standing = () -> {
            asked.add(rank);
            return doing == JobLine.Word.WAITS ? "waits" : "stands still";
        };
        JobSeat seat = new JobSeat(rank, standing, () -> doing, wait, end::complete);
        seat.connect(List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), board.port())), TOKEN);
        return seat;
    }

    /** As a rank does, says it until the board has asked both: it may not have heard of a seat yet, or still be asking. */
    private void untilBothAnswer(Runnable word) throws InterruptedException {
        asked.clear();
        for (boolean[] seen = new boolean[2]; !(seen[0] && seen[1]); ) {
            word.run();
            Integer rank = asked.poll(100, TimeUnit.MILLISECONDS);
            if (rank != null) seen[rank] = true;
        }
    }

    @Test
    void nobodyIsJudgedBeforeARankIsLate() throws InterruptedException {
        JobSeat waits = seat(0, JobLine.Word.WAITS, () -> 1);
        seat(1, JobLine.Word.STANDS, () -> 0);
        untilBothAnswer(waits::uneasy);
        untilBothAnswer(waits::uneasy);
        assertThat(end).isNotDone();
        waits.late(false, "waited 7.0 s");
        assertThat(end.join()).startsWith("rank 0 waited 7.0 s; rank 1 stands still; the ranks stand here:");
    }

    /** Both are found within a call of MPI's, one of them in another one each time. */
    @Test
    void ranksThatGoFromWaitToWaitGetOn() throws InterruptedException {
        JobSeat waits = seat(0, JobLine.Word.WAITS, () -> 1);
        seat(1, JobLine.Word.WAITS, new AtomicLong()::incrementAndGet);
        untilBothAnswer(() -> waits.late(false, "waited 7.0 s"));
        untilBothAnswer(() -> waits.late(false, "waited 7.1 s"));
        assertThat(end).isNotDone();
        while (!end.isDone()) untilBothAnswer(() -> waits.late(true, "waited 300.0 s"));
        assertThat(end.join()).startsWith("rank 0 waited 300.0 s");
    }
}

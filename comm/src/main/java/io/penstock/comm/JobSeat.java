package io.penstock.comm;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A rank's end of its connection to the {@link JobBoard}. */
final class JobSeat {
    private static final int CONNECT = 2_000;

    private final int rank;
    private final Supplier<String> standing;
    private final Supplier<JobLine.Word> doing;
    private final LongSupplier waits;
    private final Consumer<String> ended;
    private final CountDownLatch connected = new CountDownLatch(1);
    private final CountDownLatch endTold = new CountDownLatch(1);
    private final CountDownLatch allTold = new CountDownLatch(1);
    private volatile @Nullable JobLine line;
    private volatile long asked = System.nanoTime();
    private volatile boolean left;
    private volatile @Nullable String end;

    /**
     * A seat that is not connected yet.
     *
     * @param standing says where the rank stands
     * @param doing whether the rank works, waits or stands still
     * @param waits the number of the wait that the rank is in
     * @param ended is told why all ranks end
     */
    JobSeat(
            int rank,
            Supplier<String> standing,
            Supplier<JobLine.Word> doing,
            LongSupplier waits,
            Consumer<String> ended) {
        this.rank = rank;
        this.standing = standing;
        this.doing = doing;
        this.waits = waits;
        this.ended = ended;
    }

    /** Connects on a thread of its own, by the first address that answers, and waits a moment for that. */
    void connect(List<InetSocketAddress> addresses, String token) {
        Thread.ofPlatform().daemon().name("penstock-job-seat").start(() -> attend(addresses, token));
        try {
            connected.await(CONNECT, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void attend(List<InetSocketAddress> addresses, String token) {
        for (InetSocketAddress address : addresses) {
            try {
                Socket socket = new Socket();
                socket.connect(address, CONNECT);
                JobLine open = new JobLine(socket);
                open.say(JobLine.Word.HELLO, token + " " + rank);
                line = open;
                tell();
                connected.countDown();
                open.hear(this::heard);
                if (!left)
                    ended.accept("rank 0 has died, or the way to it is cut: its process has gone without a word");
                return;
            } catch (IOException e) {
                // The next address may do; without any, the rank's own watch is all that there is.
            }
        }
    }

    /** Whether the board can be told anything. */
    boolean isConnected() {
        return line != null;
    }

    /** When the board asked last where the rank stands. */
    long asked() {
        return asked;
    }

    private void heard(JobLine.Word word, String text) {
        switch (word) {
            case ASK -> {
                asked = System.nanoTime();
                answer();
            }
            case END -> {
                end = text;
                endTold.countDown();
                ended.accept(text);
            }
            case BYE -> left = true;
            case ALL_TOLD -> allTold.countDown();
            case HELLO, STANDS, WAITS, WORKS, UNEASY, LATE, FAILED, TOLD -> {}
        }
    }

    /** Looks several times, since a rank that works may rest for a moment, and one that goes from wait to wait gets on. */
    private void answer() {
        long wait = waits.getAsLong();
        JobLine.Word seen = doing.get();
        for (int look = 1; look < Patience.LOOKS && seen != JobLine.Word.WORKS; look++) {
            LockSupport.parkNanos(this, Patience.LOOK);
            seen = waits.getAsLong() == wait ? doing.get() : JobLine.Word.WORKS;
        }
        say(seen, standing.get());
    }

    /** Says where the rank stands. */
    void tell() {
        say(doing.get(), standing.get());
    }

    /** Says that the rank has failed. */
    void failed(String why) {
        say(JobLine.Word.FAILED, why);
    }

    /** Waits to be told why all ranks end, which is what failed first; null where nothing comes in time. */
    @Nullable
    String awaitEnd(long nanos) {
        try {
            endTold.await(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return end;
    }

    /** Says that this rank has told its user why it ends. */
    void told() {
        say(JobLine.Word.TOLD, "");
    }

    /** Waits until all ranks have told why they end, which ending the job would keep them from, but no longer than that takes. */
    void awaitAllTold(long nanos) {
        try {
            allTold.await(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Says that the rank will soon have waited too long. */
    void uneasy() {
        say(JobLine.Word.UNEASY, "");
    }

    /** Says that the rank has waited too long; {@code isFinal} when it will not wait longer whoever is at work. */
    void late(boolean isFinal, String what) {
        say(JobLine.Word.LATE, (isFinal ? "1 " : "0 ") + what);
    }

    /** Says that the process leaves in good order. */
    void leave() {
        left = true;
        say(JobLine.Word.BYE, "");
    }

    private void say(JobLine.Word word, String text) {
        JobLine open = line;
        if (open != null) open.say(word, text);
    }
}

package io.penstock.comm;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Where the processes of a job say how they fare; it lives in the process of rank 0. When a rank fails, dies, or all of them wait
 * for one that stands still, the board tells every other rank to end, and why.
 */
final class JobBoard {
    /** How long a rank may take to say where it stands. */
    static final long ANSWER = 3_000_000_000L;

    /** A process that dies makes MPI fail on others, which may be faster to say so: its death gets this long to be noticed. */
    private static final long PRECEDENCE = 150_000_000L;

    private final ServerSocket door;
    private final String token;
    private final Seat[] seats;
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicBoolean asking = new AtomicBoolean();
    private final AtomicLong nextAsk = new AtomicLong(System.nanoTime());

    /** What the board knows of a rank. Guarded by itself. */
    private static final class Seat {
        private @Nullable JobLine line;
        private String standing = "has not been heard of";
        private JobLine.Word doing = JobLine.Word.WORKS;
        private boolean left;
        private boolean told;
        /** Whether the rank was asked where it stands and has said nothing since, and from when on. */
        private boolean silent;

        private long asked;

        void ask(long now) {
            if (!silent) asked = now;
            silent = true;
        }
    }

    private JobBoard(ServerSocket door, String token, int ranks) {
        this.door = door;
        this.token = token;
        this.seats = new Seat[ranks];
        Arrays.setAll(seats, r -> new Seat());
    }

    /** A board that takes calls at an address of this machine, or at all of them. */
    static JobBoard open(@Nullable InetAddress address, String token, int ranks) throws IOException {
        JobBoard board = new JobBoard(new ServerSocket(0, Math.max(50, ranks), address), token, ranks);
        Thread.ofPlatform().daemon().name("penstock-job-board").start(board::admit);
        return board;
    }

    int port() {
        return door.getLocalPort();
    }

    private void admit() {
        try {
            while (true) {
                JobLine line = new JobLine(door.accept());
                Thread.ofVirtual().start(() -> attend(line));
            }
        } catch (IOException e) {
            // The process ends.
        }
    }

    private void attend(JobLine line) {
        int[] rank = {-1};
        line.hear((word, text) -> {
            if (word == JobLine.Word.HELLO) rank[0] = seated(line, text);
            else if (rank[0] >= 0) heard(rank[0], word, text);
            else line.close();
        });
        if (rank[0] >= 0) broken(rank[0]);
    }

    private int seated(JobLine line, String hello) {
        int space = hello.indexOf(' ');
        if (space < 0 || !hello.substring(0, space).equals(token)) return -1;
        int rank = Integer.parseInt(hello.substring(space + 1));
        synchronized (seats[rank]) {
            seats[rank].line = line;
        }
        return rank;
    }

    private void heard(int rank, JobLine.Word word, String text) {
        Seat seat = seats[rank];
        switch (word) {
            case STANDS, WAITS, WORKS -> {
                synchronized (seat) {
                    seat.standing = text;
                    seat.doing = word;
                    seat.silent = false;
                }
            }
            case UNEASY -> askEarly();
            case LATE -> Thread.ofVirtual().start(() -> inquire(rank, text));
            case FAILED -> {
                LockSupport.parkNanos(this, PRECEDENCE);
                end(text);
            }
            case BYE -> {
                synchronized (seat) {
                    seat.left = true;
                }
            }
            case TOLD -> {
                synchronized (seat) {
                    seat.told = true;
                }
                conclude();
            }
            case HELLO, ASK, END, ALL_TOLD -> {}
        }
    }

    private void broken(int rank) {
        String standing;
        synchronized (seats[rank]) {
            if (seats[rank].left) return;
            standing = seats[rank].standing;
            seats[rank].told = true;
        }
        end("rank " + rank + " has died: its process ended without a word; when last heard of it: " + standing);
        conclude();
    }

    /** Lets all ranks end the job, once each that still can has told why. */
    private void conclude() {
        if (!over.get()) return;
        for (Seat seat : seats)
            synchronized (seat) {
                if (!seat.left && !seat.told) return;
            }
        say(JobLine.Word.ALL_TOLD, "");
    }

    /** A rank has waited too long: finds out who keeps it waiting. */
    private void inquire(int rank, String late) {
        if (!asking.compareAndSet(false, true)) return;
        try {
            ask();
            while (isAnswerDue()) LockSupport.parkNanos(this, TimeUnit.MILLISECONDS.toNanos(20));
            String[] words = late.split(" ", 2);
            boolean patient = words[0].equals("0");
            if (patient && !isAnySilent() && isAnyAtWork()) return;
            end("rank " + rank + " " + words[1] + culprits() + "; the ranks stand here:\n" + table());
        } finally {
            asking.set(false);
        }
    }

    /** Asks so that, when ranks are late, those that do not answer are known; many ranks may want that at once. */
    private void askEarly() {
        long now = System.nanoTime();
        long next = nextAsk.get();
        if (now - next >= 0 && nextAsk.compareAndSet(next, now + Patience.LOOKS * Patience.LOOK)) ask();
    }

    private void ask() {
        long now = System.nanoTime();
        for (Seat seat : seats)
            synchronized (seat) {
                seat.ask(now);
            }
        say(JobLine.Word.ASK, "");
    }

    private boolean isAnySilent() {
        for (Seat seat : seats)
            synchronized (seat) {
                if (!seat.left && seat.silent) return true;
            }
        return false;
    }

    /** Whether a rank has not answered that still may. */
    private boolean isAnswerDue() {
        long now = System.nanoTime();
        for (Seat seat : seats)
            synchronized (seat) {
                if (!seat.left && seat.silent && now - seat.asked < ANSWER) return true;
            }
        return false;
    }

    private boolean isAnyAtWork() {
        for (Seat seat : seats)
            synchronized (seat) {
                if (!seat.left && seat.doing == JobLine.Word.WORKS) return true;
            }
        return false;
    }

    /** The ranks that neither wait nor work. */
    private String culprits() {
        StringBuilder text = new StringBuilder();
        for (int r = 0; r < seats.length; r++)
            synchronized (seats[r]) {
                if (seats[r].left) text.append("; rank ").append(r).append(" has ended");
                else if (seats[r].silent)
                    text.append("; rank ")
                            .append(r)
                            .append(" does not answer, its process hangs or the way to it is cut");
                else if (seats[r].doing == JobLine.Word.STANDS)
                    text.append("; rank ").append(r).append(" ").append(seats[r].standing);
            }
        return text.toString();
    }

    private String table() {
        List<String> lines = new ArrayList<>();
        for (int r = 0; r < seats.length; r++)
            synchronized (seats[r]) {
                String silence =
                        seats[r].left ? "has ended; " : seats[r].silent ? "does not answer; before that: " : "";
                lines.add("  rank " + r + ": " + silence + seats[r].standing);
            }
        return String.join("\n", lines);
    }

    /** Says that the board's own process leaves in good order. */
    void leave() {
        for (Seat seat : seats)
            synchronized (seat) {
                if (seat.line != null && !seat.left) seat.line.say(JobLine.Word.BYE, "");
            }
    }

    /** Tells every rank to end, unless that has been done. */
    private void end(String why) {
        if (over.compareAndSet(false, true)) say(JobLine.Word.END, why);
    }

    private void say(JobLine.Word word, String text) {
        for (Seat seat : seats) {
            JobLine line;
            synchronized (seat) {
                line = seat.line;
            }
            // A line to a machine that is gone may block.
            if (line != null) Thread.ofVirtual().start(() -> line.say(word, text));
        }
    }
}

package io.penstock.comm;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.function.BiConsumer;

/**
 * A connection between a rank's process and the {@link JobBoard}, beside MPI: it works while the rank's thread is stuck within MPI,
 * and it breaks when the process dies, however it dies.
 */
@SuppressWarnings("EnumOrdinal") // both ends are the same program
final class JobLine implements AutoCloseable {
    private static final int LONGEST = 1 << 20;

    /** What is said. */
    enum Word {
        /** A rank introduces itself: the job's token and its number. */
        HELLO,
        /** Where the rank stands, which does nothing. */
        STANDS,
        /** Where the rank stands, which waits for others within MPI. */
        WAITS,
        /** Where the rank stands, which gets on by itself. */
        WORKS,
        /** The rank will have waited too long before a rank that does not answer can be told from one that is slow to. */
        UNEASY,
        /** The rank has waited too long: for how long, and in which call. */
        LATE,
        /** The rank has failed. */
        FAILED,
        /** The board wants to know where the rank stands. */
        ASK,
        /** All ranks end, because of a failure. */
        END,
        /** The rank has said why it ends. */
        TOLD,
        /** All ranks that could have said why they end: nobody needs to be waited for. */
        ALL_TOLD,
        /** Whoever says so leaves in good order. */
        BYE
    }

    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;

    JobLine(Socket socket) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
    }

    /** Says something, unless the line is broken. */
    synchronized void say(Word word, String text) {
        try {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            out.writeByte(word.ordinal());
            out.writeInt(Math.min(bytes.length, LONGEST));
            out.write(bytes, 0, Math.min(bytes.length, LONGEST));
            out.flush();
        } catch (IOException e) {
            close();
        }
    }

    /** Hears what is said, one word after the other, until the line breaks or is closed. */
    void hear(BiConsumer<Word, String> listener) {
        try (this) {
            while (true) {
                int word = in.readUnsignedByte();
                int length = in.readInt();
                if (word >= Word.values().length || length < 0 || length > LONGEST) return;
                byte[] bytes = new byte[length];
                in.readFully(bytes);
                listener.accept(Word.values()[word], new String(bytes, StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            // The other end has died or left; whoever listens knows which from what was said.
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // It is of no use any more either way.
        }
    }
}

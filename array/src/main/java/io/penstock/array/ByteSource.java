package io.penstock.array;

import java.io.IOException;
import java.io.InputStream;

/** The bytes of one array in a file, read once from the front; knows the file's name and how many bytes there can be. */
final class ByteSource {
    private final String file;
    private final String entry;
    private final InputStream in;
    private final long length;
    private long position;

    /**
     * Bytes read from a stream.
     *
     * @param entry what to call the array within the file, with a blank after it, or nothing
     * @param length how many bytes the stream is said to have
     */
    ByteSource(String file, String entry, InputStream in, long length) {
        this.file = file;
        this.entry = entry;
        this.in = in;
        this.length = length;
    }

    /** How many bytes are left, if the length is right. */
    long remaining() {
        return length - position;
    }

    long position() {
        return position;
    }

    ArrayFileException malformed(long at, String problem) {
        return new ArrayFileException(file, entry + "byte " + at, problem);
    }

    ArrayFileException unreadable(IOException cause) {
        return ArrayFileException.unreadable(file, entry + "byte " + position, cause, "");
    }

    /** Reads exactly {@code n} bytes; {@code what} says what they are. */
    void read(byte[] bytes, int n, String what) {
        int done;
        try {
            done = in.readNBytes(bytes, 0, n);
        } catch (IOException e) {
            throw unreadable(e);
        }
        position += done;
        if (done < n)
            throw malformed(position, "the file ends within " + what + "; expected " + (n - done) + " more bytes");
    }

    /** Skips {@code n} bytes of the data. */
    void skip(long n) {
        try {
            in.skipNBytes(n);
            position += n;
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    /** Checks that nothing is left. */
    void expectEnd() {
        try {
            if (in.read() >= 0) throw malformed(position, "bytes follow the data; expected the end");
        } catch (IOException e) {
            throw unreadable(e);
        }
    }
}

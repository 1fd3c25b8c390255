package io.penstock.comm;

import io.penstock.array.NDArray;
import io.penstock.runtime.Buffer;
import io.penstock.runtime.Queue;

/**
 * How a message is cut, which both ends compute from what they know: as many whole pieces as an array has, and then what remains,
 * which may be nothing. So whoever expects another number of elements meets a piece that is too long or too short, whatever the two
 * numbers are.
 *
 * @param elements how many elements the message has
 * @param piece how many a whole piece has
 */
record Pieces(long elements, long piece) {
    /**
     * How many bytes a whole piece has; the same on all ranks. So many that a message of MPI's is not noticed beside them, and few
     * enough that the first and the last, which nothing overlaps, are soon over, and that some of them fit into a processor's cache.
     */
    static final long BYTES = Long.getLong("penstock.mpi.piece", 4L << 20);

    int count() {
        return Math.toIntExact(elements / piece + 1);
    }

    /** The first element of a piece. */
    long from(int index) {
        return index * piece;
    }

    /** How many elements a piece has. */
    long size(int index) {
        return Math.min(piece, elements - index * piece);
    }

    /** The memory of some elements of a contiguous array. */
    static Buffer part(NDArray array, long from, long count) {
        int bytes = array.dtype().bytes();
        Buffer whole = array.buffer();
        return whole.slice(array.region().offset() - whole.offset() + from * bytes, count * bytes);
    }

    /** Submits the copy of a piece, such that it begins before anybody waits for it, and who does waits for none that come later. */
    static void copy(Queue queue, Buffer from, Buffer to) {
        // Asking has an event recorded behind the copy, and hands it to a driver that would hold it back.
        boolean _ = queue.copy(from, to).isOver();
    }
}

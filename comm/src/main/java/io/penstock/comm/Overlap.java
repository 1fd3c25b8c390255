package io.penstock.comm;

import io.penstock.array.NDArray;
import io.penstock.runtime.Region;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Refuses calls that write memory which another array of the same call has, too: what came of them would depend on which message is
 * faster, on the number of ranks and on the MPI. What a rank hands over to itself may lie where it is to go.
 */
final class Overlap {
    private static final Comparator<Part> BY_ADDRESS = Comparator.comparingLong(Part::first);

    private Overlap() {}

    /** One array of a call: its argument's name, and its number where the argument has several. */
    private record Part(NDArray array, Region region, boolean written, String argument, int number) {
        Part(NDArray array, boolean written, String argument, int number) {
            this(array, array.region(), written, argument, number);
        }

        private long base() {
            return array.buffer().address() - array.buffer().offset();
        }

        long first() {
            return base() + region.offset();
        }

        long end() {
            return base() + region.end();
        }

        boolean isWithin(Part other) {
            return array.buffer().allocation() == other.array.buffer().allocation()
                    && region.overlaps(other.region)
                    && Lattice.meet(array, other.array);
        }

        /** Whether the elements of both are the same ones in the same order. */
        boolean isSame(Part other) {
            NDArray a = array;
            NDArray b = other.array;
            boolean alike = (a.isContiguous() && b.isContiguous())
                    || (Arrays.equals(a.shape(), b.shape()) && Arrays.equals(a.strides(), b.strides()));
            return a.dtype() == b.dtype() && a.size() == b.size() && region.equals(other.region) && alike;
        }

        @Override
        public String toString() {
            return number < 0 ? argument : argument + "[" + number + "]";
        }
    }

    /** Checks the arrays of a message that is sent while another is received. */
    static void check(NDArray send, NDArray receive) {
        if (send.buffer().allocation() != receive.buffer().allocation()) return;
        Part from = new Part(send, false, "send", -1);
        Part to = new Part(receive, true, "receive", -1);
        if (from.isWithin(to)) throw refusal(to, from);
    }

    /** Checks the arrays of an exchange. */
    static void check(List<Envelope> sends, List<Envelope> receives) {
        List<Part> parts = new ArrayList<>(sends.size() + receives.size());
        for (int k = 0; k < sends.size(); k++) add(parts, sends.get(k).array(), false, "sends", k);
        for (int k = 0; k < receives.size(); k++) add(parts, receives.get(k).array(), true, "receives", k);
        check(parts, -1);
    }

    /** Checks the arrays of a collective as the rank calls it. */
    static void check(Call call, int rank) {
        NDArray[] out = call.out();
        NDArray[] in = call.in();
        if (call.isInPlace() || in.length == 0) return;
        List<Part> parts = new ArrayList<>(out.length + in.length);
        if (out.length == 1 && call.kind().gathers()) add(parts, out[0], false, "part", -1);
        else for (int r = 0; r < out.length; r++) add(parts, out[r], false, "parts", r);
        if (in.length == 1 && !call.kind().gathers()) add(parts, in[0], true, "into", -1);
        else for (int r = 0; r < in.length; r++) add(parts, in[r], true, "into", r);
        check(parts, rank);
    }

    private static void add(List<Part> parts, NDArray array, boolean written, String argument, int number) {
        if (array.size() > 0) parts.add(new Part(array, written, argument, number));
    }

    /**
     * Checks all pairs that may meet: in the order of their addresses, an array that begins behind all before it meets none of them.
     *
     * @param own the number of what the rank hands over to itself, where it may lie in its place; -1 when there is no such thing
     */
    private static void check(List<Part> parts, int own) {
        parts.sort(BY_ADDRESS);
        long end = Long.MIN_VALUE;
        int from = 0;
        for (int k = 0; k < parts.size(); k++) {
            Part part = parts.get(k);
            if (part.first() >= end) from = k;
            for (int j = from; j < k; j++) check(parts.get(j), part, own);
            end = Math.max(end, part.end());
        }
    }

    private static void check(Part a, Part b, int own) {
        if (!(a.written || b.written) || !a.isWithin(b)) return;
        boolean staysHere = a.written != b.written && isOwn(a, own) && isOwn(b, own) && a.isSame(b);
        if (!staysHere) throw a.written && !b.written ? refusal(a, b) : refusal(b, a);
    }

    private static boolean isOwn(Part part, int own) {
        return part.number < 0 || part.number == own;
    }

    private static IllegalArgumentException refusal(Part written, Part other) {
        String remedy = other.written
                ? "receive in memory of its own for each"
                : "copy " + other + " first, and hand over the copy";
        return new IllegalArgumentException(
                written + " overlaps " + other + " in memory, and the call writes " + written + "; " + remedy);
    }
}

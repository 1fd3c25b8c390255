package io.penstock.array;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a .npy file says before its data (NumPy Enhancement Proposal 1, format versions 1 to 3).
 *
 * @param element how elements are stored
 * @param fortran whether the first index moves fastest
 * @param shape the extents
 */
record NpyHeader(NpyElement element, boolean fortran, List<Long> shape) {
    static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};

    private static final int LONGEST = 1 << 20;
    private static final int MOST_DIMENSIONS = 64;

    static NpyHeader read(ByteSource in) {
        byte[] start = new byte[8];
        in.read(start, 8, "the magic string");
        for (int i = 0; i < MAGIC.length; i++)
            if (start[i] != MAGIC[i])
                throw in.malformed(
                        i,
                        "not a .npy file; expected it to begin with \\x93NUMPY"
                                + (start[0] == 'P' && start[1] == 'K' ? " (an .npz archive is read by Npz.open)" : ""));
        int version = start[6];
        if (version < 1 || version > 3 || start[7] != 0)
            throw in.malformed(
                    6, "format version " + (version & 0xff) + "." + (start[7] & 0xff) + "; expected 1.0, 2.0 or 3.0");
        byte[] lengthBytes = new byte[version == 1 ? 2 : 4];
        in.read(lengthBytes, lengthBytes.length, "the header's length");
        long length = 0;
        for (int i = lengthBytes.length - 1; i >= 0; i--) length = (length << 8) | (lengthBytes[i] & 0xff);
        if (length > LONGEST || length > in.remaining())
            throw in.malformed(
                    8,
                    "the header's length is " + length + "; expected at most " + Math.min(LONGEST, in.remaining())
                            + ", what the file has");
        long at = in.position();
        byte[] text = new byte[(int) length];
        in.read(text, text.length, "the header");
        return new Parser(in, at, new String(text, version == 3 ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1))
                .header();
    }

    long[] dims() {
        return Shapes.toArray(shape);
    }

    /** How many elements follow; checked to fit while parsing. */
    long size() {
        return Shapes.size(dims());
    }

    /** Reads the dictionary, a Python literal. */
    private static final class Parser {
        private final ByteSource in;
        private final long start;
        private final String text;
        private int at;
        private @Nullable String descr;
        private @Nullable Boolean fortran;
        private @Nullable List<Long> shape;

        Parser(ByteSource in, long start, String text) {
            this.in = in;
            this.start = start;
            this.text = text;
        }

        NpyHeader header() {
            expect('{');
            while (!accept('}')) {
                int key = at;
                String name = string();
                expect(':');
                switch (name) {
                    case "descr" -> descr = string();
                    case "fortran_order" -> fortran = truth();
                    case "shape" -> shape = tuple();
                    default -> throw malformed(key, "key '" + name + "'; expected 'descr', 'fortran_order' or 'shape'");
                }
                if (!accept(',')) {
                    expect('}');
                    break;
                }
            }
            blanks();
            if (at < text.length()) throw malformed(at, "text after the header's dictionary; expected blanks");
            if (descr == null || fortran == null || shape == null)
                throw malformed(at, "the header lacks 'descr', 'fortran_order' or 'shape'");
            NpyElement element = NpyElement.parse(descr);
            if (element == null) throw malformed(0, "element type '" + descr + "'; expected " + NpyElement.KNOWN);
            check(shape);
            return new NpyHeader(element, fortran, shape);
        }

        private void check(List<Long> extents) {
            if (extents.size() > MOST_DIMENSIONS)
                throw malformed(0, extents.size() + " dimensions; expected at most " + MOST_DIMENSIONS);
            long most = Long.MAX_VALUE / 32;
            boolean empty = extents.contains(0L);
            for (long extent : extents) {
                if (!empty && extent > most)
                    throw malformed(0, "shape " + extents + " has more than 2^63 bytes of data");
                most /= Math.max(extent, 1);
            }
        }

        private ArrayFileException malformed(int where, String problem) {
            return in.malformed(start + where, problem);
        }

        private void blanks() {
            while (at < text.length() && " \t\n\r\f".indexOf(text.charAt(at)) >= 0) at++;
        }

        private boolean accept(char c) {
            blanks();
            if (at >= text.length() || text.charAt(at) != c) return false;
            at++;
            return true;
        }

        private void expect(char c) {
            if (!accept(c)) throw malformed(at, "expected '" + c + "' in the header");
        }

        private String string() {
            char quote = accept('\'') ? '\'' : accept('"') ? '"' : 0;
            int end = quote == 0 ? -1 : text.indexOf(quote, at);
            if (end < 0) throw malformed(at, "expected a string in the header (structured types are not read)");
            String value = text.substring(at, end);
            at = end + 1;
            return value;
        }

        private boolean truth() {
            blanks();
            boolean yes = text.startsWith("True", at);
            if (!yes && !text.startsWith("False", at)) throw malformed(at, "expected True or False in the header");
            at += yes ? 4 : 5;
            return yes;
        }

        private List<Long> tuple() {
            expect('(');
            List<Long> values = new ArrayList<>();
            while (!accept(')')) {
                values.add(extent());
                if (!accept(',')) {
                    expect(')');
                    break;
                }
            }
            return values;
        }

        private long extent() {
            blanks();
            int from = at;
            long value = 0;
            while (at < text.length() && Character.digit(text.charAt(at), 10) >= 0 && text.charAt(at) < 128) {
                if (value > Long.MAX_VALUE / 10 - 1) throw malformed(from, "an extent of 2^63 or more");
                value = 10 * value + (text.charAt(at++) - '0');
            }
            if (at == from) throw malformed(at, "expected an extent, a whole number from 0, in the header's shape");
            if (at < text.length() && text.charAt(at) == 'L') at++;
            return value;
        }
    }
}

package io.penstock.comm;

import io.penstock.array.Complex;
import io.penstock.array.DType;
import java.util.List;
import java.util.SplittableRandom;

/**
 * One step of a random program: which operation, between whom, and what every element is. All ranks derive it from a seed, so
 * each can say what it must receive without being told.
 */
record Step(long seed, Kind kind, int ranks, DType dtype, ReduceOp op, int root, int peer, int tag, boolean waits) {
    enum Kind {
        BARRIER,
        BROADCAST,
        ALL_REDUCE,
        ALL_REDUCE_VALUES,
        REDUCE,
        REDUCE_SCATTER,
        ALL_GATHER,
        GATHER,
        SCATTER,
        ALL_TO_ALL,
        MESSAGE,
        RING
    }

    static Step random(long seed, int ranks) {
        SplittableRandom random = new SplittableRandom(seed);
        Kind kind = any(random, Kind.values(), Kind.values().length);
        DType dtype = any(random, DType.values(), DType.values().length);
        ReduceOp op = any(random, ReduceOp.values(), dtype.isComplex() ? 2 : 4);
        int root = random.nextInt(ranks);
        int peer = ranks == 1 ? root : (root + 1 + random.nextInt(ranks - 1)) % ranks;
        return new Step(seed, kind, ranks, dtype, op, root, peer, random.nextInt(3), random.nextBoolean());
    }

    static <T> T any(SplittableRandom random, T[] choices, int count) {
        return List.of(choices).get(random.nextInt(count));
    }

    /** How many elements go from one rank to another, or in total where ranks share a size. */
    int size(int from, int to) {
        SplittableRandom random = new SplittableRandom(seed + 31L * from + 1009L * to);
        return switch (random.nextInt(8)) {
            case 0, 1 -> 0;
            case 2 -> 1;
            case 3 -> seed % 5 == 0 && ranks <= 5 ? 2_000 + random.nextInt(4_000) : 7;
            default -> random.nextInt(60);
        };
    }

    /** The element at position {@code i} of what one rank hands over for another: a small whole number. */
    Complex value(int from, int to, int i) {
        SplittableRandom random = new SplittableRandom(seed ^ (7919L * from + 104_729L * to + 15_485_863L * i));
        int re = dtype == DType.U8 ? random.nextInt(4) : random.nextInt(7) - 3;
        return new Complex(re, dtype.isComplex() ? random.nextInt(7) - 3 : 0);
    }

    /** What the reduction over all ranks must give, in the arithmetic of the element type. */
    Complex reduced(int to, int i) {
        Complex result = value(0, to, i);
        for (int r = 1; r < ranks; r++) result = combine(result, value(r, to, i));
        return result;
    }

    private Complex combine(Complex a, Complex b) {
        Complex exact = switch (op) {
            case SUM -> a.plus(b);
            case PROD -> a.times(b);
            case MIN -> new Complex(Math.min(a.re(), b.re()), 0);
            case MAX -> new Complex(Math.max(a.re(), b.re()), 0);
        };
        return switch (dtype) {
            case U8 -> new Complex((long) exact.re() & 0xff, 0);
            case F32, C64 -> new Complex((float) exact.re(), (float) exact.im());
            default -> exact;
        };
    }
}

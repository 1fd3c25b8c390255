package io.penstock.distributed;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.comm.Communicator;
import io.penstock.comm.CommunicatorException;
import io.penstock.comm.ReduceOp;
import io.penstock.runtime.Device;
import io.penstock.runtime.Scope;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Compares the layouts that ranks have computed, each for itself, before they exchange something by them. It costs a message, which
 * layouts exist to spare; so only where {@code -Dpenstock.check=layouts} asks for it.
 */
final class SpaceCheck {
    private static final boolean IS_ASKED =
            System.getProperty("penstock.check", "").contains("layouts");
    /** The longest text about a space that ranks tell each other. */
    private static final int LONGEST = 256;

    private SpaceCheck() {}

    /** Compares, where that is asked for; called by all ranks, where they would exchange something anyway. */
    static void compare(DistributedSpace space) {
        if (IS_ASKED) compareNow(space);
    }

    /**
     * Compares.
     *
     * @throws CommunicatorException on every rank, saying what each has, when these differ
     */
    static void compareNow(DistributedSpace space) {
        Communicator ranks = space.ranks();
        String mine = space.dtype() + ", " + space.layout();
        double number = 31.0 * space.dtype().name().hashCode() + space.layout().hashCode();
        double[] range = {number, -number};
        ranks.allReduce(range, 2, ReduceOp.MAX);
        if (range[0] == -range[1]) return;
        StringBuilder all = new StringBuilder("ranks disagree about a distributed array:");
        List<String> texts = exchange(ranks, mine);
        for (int r = 0; r < texts.size(); r++)
            all.append("\n  rank ").append(r).append(": ").append(texts.get(r));
        throw new CommunicatorException(all.toString());
    }

    private static List<String> exchange(Communicator ranks, String mine) {
        byte[] bytes = Arrays.copyOf(mine.getBytes(StandardCharsets.UTF_8), LONGEST);
        try (Scope _ = Scope.open()) {
            NDArray text = NDArray.empty(Device.jvm(), DType.U8, LONGEST);
            for (int i = 0; i < LONGEST; i++) text.set(bytes[i] & 0xff, i);
            List<NDArray> texts = new ArrayList<>();
            for (int r = 0; r < ranks.size(); r++) texts.add(NDArray.empty(Device.jvm(), DType.U8, LONGEST));
            ranks.allGather(text, texts);
            return texts.stream().map(SpaceCheck::text).toList();
        }
    }

    private static String text(NDArray of) {
        byte[] bytes = new byte[LONGEST];
        for (int i = 0; i < LONGEST; i++) bytes[i] = (byte) of.get(i);
        return new String(bytes, StandardCharsets.UTF_8).trim();
    }
}

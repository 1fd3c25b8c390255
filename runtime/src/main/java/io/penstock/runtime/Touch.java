package io.penstock.runtime;

import java.util.Arrays;
import java.util.List;

/** An access as the ledger sees it, with what it needs at hand. */
record Touch(Allocation allocation, History history, Region region, boolean writes) {
    private static Touch of(Access access) {
        Allocation allocation = access.buffer().allocation();
        return new Touch(allocation, allocation.history(), access.region(), access.writes());
    }

    static Touch[] of(List<Access> accesses) {
        Touch[] touches = new Touch[accesses.size()];
        for (int i = 0; i < touches.length; i++) touches[i] = of(accesses.get(i));
        return touches;
    }

    /** The distinct histories of what is touched, in the order of their numbers. */
    static History[] histories(Touch[] touches) {
        History[] sorted = new History[touches.length];
        int count = 0;
        for (Touch touch : touches) {
            History history = touch.history;
            int at = count;
            while (at > 0 && sorted[at - 1].number() > history.number()) at--;
            if (at > 0 && sorted[at - 1] == history) continue;
            System.arraycopy(sorted, at, sorted, at + 1, count - at);
            sorted[at] = history;
            count++;
        }
        return Arrays.copyOf(sorted, count);
    }
}

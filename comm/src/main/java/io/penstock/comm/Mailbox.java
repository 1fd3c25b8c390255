package io.penstock.comm;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sends to one rank, and its receives, that have not met yet. */
final class Mailbox {
    private final List<Transfer> sends = new ArrayList<>();
    private final List<Transfer> receives = new ArrayList<>();

    /** The oldest partner of a transfer, which leaves the mailbox; null when there is none, and then the transfer stays here. */
    synchronized @Nullable Transfer meet(Transfer transfer) {
        Iterator<Transfer> others = (transfer.isSend() ? receives : sends).iterator();
        while (others.hasNext()) {
            Transfer other = others.next();
            if (other.matches(transfer)) {
                others.remove();
                return other;
            }
        }
        (transfer.isSend() ? sends : receives).add(transfer);
        return null;
    }
}

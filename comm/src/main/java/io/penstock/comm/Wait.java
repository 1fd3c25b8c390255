package io.penstock.comm;

import org.jspecify.annotations.Nullable;

/** What a rank waits for. */
interface Wait {
    /** Whether the rank may go on; read by any thread. */
    boolean isOver();

    /** Whom the rank waits for, such as "ranks 1, 3". */
    String awaited();

    /** Why this wait can never end, because of ranks that have ended; null when it still can. */
    @Nullable
    String hopeless();
}

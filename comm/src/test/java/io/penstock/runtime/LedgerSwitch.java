package io.penstock.runtime;

/** Switches the ledger's waits off, for tests that prove that they would notice if they were missing. */
public final class LedgerSwitch {
    private LedgerSwitch() {}

    /** Runs something without any wait of the ledger's. */
    public static void withoutWaits(Runnable body) {
        Ledger.waits = false;
        try {
            body.run();
        } finally {
            Ledger.waits = true;
        }
    }
}

package io.penstock.cli.verify;

/**
 * What came of a case.
 *
 * @param outcome whether it agrees
 * @param detail what was compared, why it failed, or what is missing
 */
record Verdict(Outcome outcome, String detail) {
    /** The three ways in which a case can end. */
    enum Outcome {
        PASSED("passed"),
        FAILED("FAILED"),
        NOT_COVERED("not covered");

        private final String word;

        Outcome(String word) {
            this.word = word;
        }

        String word() {
            return word;
        }
    }
}

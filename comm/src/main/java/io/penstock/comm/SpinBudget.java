package io.penstock.comm;

/**
 * How often a rank looks whether its wait is over before it parks; learned from how its waits went.
 *
 * <p>Where every rank has a core, waits are short and spinning saves the microseconds that parking and waking take. On a loaded
 * machine a spinning thread takes the core from the one it waits for. Two ranks that both park keep each other late and would
 * never find out that spinning pays again, so now and then a wait spins for longer to try.
 */
final class SpinBudget {
    private static final int LEAST = 16;
    private static final int MOST = 2048;
    private static final int TRIAL = 64;

    private final int most;
    private int budget;
    private int vain;

    SpinBudget(int ranks) {
        this.most = ranks <= Runtime.getRuntime().availableProcessors() ? MOST : LEAST;
        this.budget = most;
    }

    /** Looks until {@code wait} is over or the budget is spent; returns whether it is over. */
    boolean spin(Wait wait) {
        for (int i = 0; i < budget; i++) {
            if (wait.isOver()) {
                if (i > 0) budget = Math.min(most, 2 * budget);
                return true;
            }
            Thread.onSpinWait();
        }
        budget = ++vain % TRIAL == 0 ? most : Math.max(LEAST, budget / 4);
        return false;
    }
}

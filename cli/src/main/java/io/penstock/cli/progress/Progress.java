package io.penstock.cli.progress;

/**
 * Tells how far a job of a known number of steps is: a bar where a person watches on a terminal, about ten plain lines where
 * the output goes to a file or a pipe.
 */
public sealed interface Progress extends AutoCloseable permits Bar, Lines {
    /**
     * Starts to tell about a job.
     *
     * @param task what the job is called, in a word or two
     * @param steps how many steps it has at most
     */
    static Progress of(String task, long steps) {
        return Boolean.getBoolean("penstock.terminal") ? new Bar(task, steps) : new Lines(task, steps, System.out);
    }

    /**
     * A step is done.
     *
     * @param step the number of steps done so far
     * @param note what to say beside it, such as the residual
     */
    void step(long step, String note);

    /** The job is over, by its last step or before. */
    @Override
    void close();
}

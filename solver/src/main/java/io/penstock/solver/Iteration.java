package io.penstock.solver;

import io.penstock.array.Reductions;
import io.penstock.array.Vector;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A solver under way: it can be taken one step at a time, looked at between steps, and run to its end.
 *
 * @param <X> the class of the unknown
 */
public abstract sealed class Iteration<X extends Vector<X>> implements AutoCloseable
        permits CgIteration, FusedCgIteration, CglsIteration {
    /** Below this fraction of the first gradient, a direction without curvature is rounding and not a wrong operator. */
    private static final double ROUNDING = 1e-10;

    private final Settings<X> settings;
    private final long began = System.nanoTime();
    private boolean cancel;
    private @Nullable Stop stop;

    /** The norms so far. */
    final Norms norms;

    /** An iteration at its start. */
    Iteration(Settings<X> settings) {
        this(settings, new Norms(settings.limits().iterations()));
    }

    /** An iteration that goes on from where another was. */
    Iteration(Settings<X> settings, History past) {
        this(settings, new Norms(past, settings.limits().iterations()));
    }

    private Iteration(Settings<X> settings, Norms norms) {
        this.settings = settings;
        this.norms = norms;
    }

    /** The iterate itself, which the next step changes. */
    public abstract X x();

    /** Does one iteration's arithmetic, or calls {@link #end} where it cannot or may not be done. */
    abstract void advance();

    /** All that the next iterations depend on, as it is. */
    abstract Snapshot snapshot();

    /** {@code |y - A x|} computed from {@link #x}; overwrites the work vectors, so nothing but closing may follow. */
    abstract double residualNorm();

    /**
     * Does one iteration, unless the solver has stopped.
     *
     * @return whether another may follow
     * @throws SolverException when a number is not finite, or the iteration diverges
     */
    public final boolean step() {
        if (stop != null) return false;
        int before = norms.iterations();
        advance();
        if (norms.iterations() == before) return false;
        if (stop == null) check();
        save();
        for (Observer<X> observer : settings.observers())
            cancel |= observer.observe(progress()) == Observer.Verdict.CANCEL;
        return stop == null;
    }

    /** Writes a checkpoint where one is due: every so many iterations, and where the solver stops. */
    private void save() {
        Saving saving = settings.saving();
        if (saving == null || (stop == null && norms.iterations() % saving.every() != 0)) return;
        saving.files().save(snapshot());
    }

    /** Steps until the solver stops, and frees all but {@link #x}. */
    public final Solution<X> run() {
        while (step()) {}
        Solution<X> solution = new Solution<>(x(), iterations(), reason(), history(), residualNorm());
        close();
        return solution;
    }

    /** How many iterations have been done, those before a resume included. */
    public final int iterations() {
        return norms.iterations();
    }

    /** Why the solver has stopped, or null while it may go on. */
    public final @Nullable Stop stop() {
        return stop;
    }

    /** The norms so far. */
    public final History history() {
        return norms.history();
    }

    private Stop reason() {
        if (stop == null) throw new IllegalStateException("the solver has not stopped");
        return stop;
    }

    private Progress<X> progress() {
        Duration elapsed = Duration.ofNanos(System.nanoTime() - began);
        return new Progress<>(
                iterations(), settings.limits().iterations(), norms.lastResidual(), norms.lastGradient(), elapsed, x());
    }

    /** Ends the iteration. */
    final void end(Stop reason) {
        stop = reason;
    }

    /** Applies the limits to the newest norms. */
    final void check() {
        stop = settings.limits().stop(norms.iterations(), norms.lastGradient(), norms.firstGradient());
    }

    /**
     * Lets this rank's wish to stop travel with the first of the sums: no sum of squares is minus infinity, so a vote costs no
     * number of its own.
     */
    final void vote(Reductions sums) {
        if (cancel) sums.addToGroups(0, Double.NEGATIVE_INFINITY);
    }

    /** Ends the iteration if any rank voted for it; the answer is the same on all ranks. */
    final boolean cancelled(Reductions sums) {
        if (Double.isFinite(sums.re(0))) return false;
        // A vote or an overflow: ask, in a reduction of its own that only this rare case takes.
        sums.clear();
        sums.addToGroups(0, cancel ? 1 : 0);
        sums.reduce();
        if (sums.re(0) == 0) return false;
        end(Stop.CANCELLED);
        return true;
    }

    /** A curvature that allows a step; false when all that is left is rounding, in which case the iteration ends. */
    final boolean curvatureIsPositive(double curvature, String name, String otherwise) {
        requireFinite(curvature, name, norms.iterations() + 1);
        if (curvature > 0) return true;
        if (norms.lastGradient() > ROUNDING * norms.firstGradient())
            throw new SolverException(norms.iterations() + 1, name + " is " + curvature + "; " + otherwise);
        end(Stop.ROUNDING);
        return false;
    }

    static void requireFinite(double value, String name, int iteration) {
        if (!Double.isFinite(value))
            throw new SolverException(
                    iteration,
                    name + " is " + value + "; expected a finite number: look for NaN, infinity or overflow in "
                            + (iteration == 0 ? "the data, the start or the operator" : "the operator"));
    }

    /** Frees the work vectors, but not {@link #x}. */
    @Override
    public abstract void close();
}

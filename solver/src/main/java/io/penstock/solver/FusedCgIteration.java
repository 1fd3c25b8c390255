package io.penstock.solver;

import io.penstock.array.Reductions;
import io.penstock.array.Vector;
import io.penstock.operator.LinearOperator;
import java.util.List;

/**
 * Conjugate gradients with one reduction an iteration under way.
 *
 * @param <X> the class of the unknown
 */
public final class FusedCgIteration<X extends Vector<X>> extends Iteration<X> {
    /** The name in checkpoints. */
    static final String SOLVER = "fused cg";

    private final LinearOperator<X, X> a;
    private final X y;
    private final X x;
    private final X r;
    /** {@code A r}. */
    private final X w;

    private final X p;
    /** {@code A p}, by recurrence. */
    private final X s;

    private final Reductions sums = new Reductions(2);
    private double rr;
    private double alpha;
    private double beta;

    /** Starts at {@code x}, which becomes the iterate. */
    FusedCgIteration(LinearOperator<X, X> a, X y, X x, boolean startIsZero, Settings<X> settings) {
        super(settings);
        this.a = a;
        this.y = y;
        this.x = x;
        r = y.copy();
        w = a.range().empty();
        if (!startIsZero) {
            a.forward(x, w);
            r.axpy(-1, w);
        }
        p = a.domain().zeros();
        s = a.range().zeros();
        measure(0);
        double curvature = sums.re(1);
        record();
        check();
        if (stop() == null && curvatureIsPositive(curvature, "r^H A r", CgIteration.INDEFINITE)) alpha = rr / curvature;
    }

    FusedCgIteration(LinearOperator<X, X> a, X y, FusedCgState<X> from, Settings<X> settings) {
        super(settings, from.history());
        this.a = a;
        this.y = y;
        x = from.x().copy();
        r = from.residual().copy();
        w = from.image().copy();
        p = from.direction().copy();
        s = from.directionImage().copy();
        rr = from.residualSquared();
        alpha = from.step();
        beta = from.turn();
        check();
    }

    // Elements moved per iteration beside the operator's, n unknowns: p 3 n, s 3 n, x 3 n, r 3 n, r.r n, r.w 2 n: 15 n.
    // Messages: one reduction, of two numbers. Nothing is allocated.
    @Override
    void advance() {
        p.axpby(1, r, beta);
        s.axpby(1, w, beta);
        x.axpy(alpha, p);
        r.axpy(-alpha, s);
        double before = rr;
        boolean cancelled = measure(iterations() + 1);
        record();
        if (cancelled) return;
        CgIteration.requireConvergent(norms);
        if (rr == 0) return;
        beta = rr / before;
        double curvature = sums.re(1) - beta * rr / alpha;
        if (curvatureIsPositive(curvature, "p^H A p", CgIteration.INDEFINITE)) alpha = rr / curvature;
    }

    /** {@code A r} and both sums, in one reduction; returns whether a rank has voted to stop. */
    private boolean measure(int iteration) {
        a.forward(r, w);
        sums.clear();
        r.dot(r, sums, 0);
        r.dot(w, sums, 1);
        vote(sums);
        sums.reduce();
        double found = sums.re(0);
        boolean cancelled = cancelled(sums);
        if (cancelled) {
            sums.clear();
            r.dot(r, sums, 0);
            sums.reduce();
            found = sums.re(0);
        }
        requireFinite(found, "the squared residual norm", iteration);
        rr = found;
        return cancelled;
    }

    private void record() {
        double norm = Math.sqrt(rr);
        norms.add(norm, norm, norm);
    }

    @Override
    double residualNorm() {
        a.forward(x, w);
        w.axpby(1, y, -1);
        return w.norm();
    }

    /** A copy of all that the next iterations depend on. */
    public FusedCgState<X> state() {
        return new FusedCgState<>(x.copy(), r.copy(), w.copy(), p.copy(), s.copy(), rr, alpha, beta, history());
    }

    @Override
    Snapshot snapshot() {
        return new Snapshot(SOLVER, List.of(x, r, w, p, s), new double[] {rr, alpha, beta}, history());
    }

    @Override
    public X x() {
        return x;
    }

    @Override
    public void close() {
        r.close();
        w.close();
        p.close();
        s.close();
    }
}

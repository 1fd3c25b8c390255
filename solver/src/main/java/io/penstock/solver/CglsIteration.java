package io.penstock.solver;

import io.penstock.array.Reductions;
import io.penstock.array.Vector;
import io.penstock.operator.LinearOperator;
import java.util.List;

/**
 * CGLS under way.
 *
 * @param <X> the class of the unknown
 * @param <Y> the class of the data
 */
public final class CglsIteration<X extends Vector<X>, Y extends Vector<Y>> extends Iteration<X> {
    /** The name in checkpoints. */
    static final String SOLVER = "cgls";

    /** The cost never grows in exact arithmetic; growth by this factor over the first is no rounding. */
    private static final double DIVERGED = 2;

    private static final String NOT_ADJOINT =
            "the operator's adjoint is not that of its forward: test the operator with its dot test";

    private final LinearOperator<X, Y> a;
    private final Y y;
    private final double damping;
    private final X x;
    private final Y s;
    private final X g;
    private final X p;
    private final Y q;
    private final Reductions sums = new Reductions(3);
    private double gg;

    /** Starts at {@code x}, which becomes the iterate. */
    CglsIteration(LinearOperator<X, Y> a, Y y, double damping, X x, boolean startIsZero, Settings<X> settings) {
        super(settings);
        this.a = a;
        this.y = y;
        this.damping = damping;
        this.x = x;
        s = y.copy();
        q = a.range().empty();
        if (!startIsZero) {
            a.forward(x, q);
            s.axpy(-1, q);
        }
        g = a.domain().empty();
        measure(0);
        p = g.copy();
        check();
    }

    CglsIteration(LinearOperator<X, Y> a, Y y, double damping, CglsState<X, Y> from, Settings<X> settings) {
        super(settings, from.history());
        this.a = a;
        this.y = y;
        this.damping = damping;
        x = from.x().copy();
        s = from.residual().copy();
        p = from.direction().copy();
        g = a.domain().empty();
        q = a.range().empty();
        gg = from.gradientSquared();
        check();
    }

    // Elements moved per iteration beside the operator's, n unknowns and m data: q.q m, x 3n, s 3m, g.g n, s.s m, p 3n:
    // 7n + 5m. Damping adds p.p n, g 3n and x.x n. Messages: two reductions. Nothing is allocated.
    @Override
    void advance() {
        a.forward(p, q);
        sums.clear();
        q.dot(q, sums, 0);
        if (damping != 0) p.dot(p, sums, 1);
        vote(sums);
        sums.reduce();
        double curvature = sums.re(0) + damping * damping * sums.re(1);
        if (cancelled(sums) || !curvatureIsPositive(curvature, "|A p|^2 + damping^2 |p|^2", NOT_ADJOINT)) return;
        double alpha = gg / curvature;
        x.axpy(alpha, p);
        s.axpy(-alpha, q);

        double before = gg;
        measure(iterations() + 1);
        p.axpby(1, g, gg / before);
        if (norms.lastCost() > DIVERGED * norms.firstCost())
            throw new SolverException(
                    iterations(),
                    "the cost grew from " + norms.firstCost() + " to " + norms.lastCost() + "; " + NOT_ADJOINT);
    }

    /** {@code g = A^H s - damping^2 x}, and all norms at {@code x}, in one reduction. */
    private void measure(int iteration) {
        a.adjoint(s, g);
        if (damping != 0) g.axpy(-damping * damping, x);
        sums.clear();
        g.dot(g, sums, 0);
        s.dot(s, sums, 1);
        if (damping != 0) x.dot(x, sums, 2);
        sums.reduce();
        requireFinite(sums.re(1), "the squared residual norm", iteration);
        requireFinite(sums.re(0), "the squared gradient norm", iteration);
        requireFinite(sums.re(2), "the squared norm of x", iteration);
        gg = sums.re(0);
        double ss = sums.re(1);
        norms.add(Math.sqrt(ss), Math.sqrt(gg), Math.sqrt(ss + damping * damping * sums.re(2)));
    }

    @Override
    double residualNorm() {
        a.forward(x, q);
        q.axpby(1, y, -1);
        return q.norm();
    }

    /** A copy of all that the next iterations depend on. */
    public CglsState<X, Y> state() {
        return new CglsState<>(x.copy(), s.copy(), p.copy(), gg, history());
    }

    @Override
    Snapshot snapshot() {
        return new Snapshot(SOLVER, List.of(x, s, p), new double[] {gg, damping}, history());
    }

    @Override
    public X x() {
        return x;
    }

    @Override
    public void close() {
        s.close();
        g.close();
        p.close();
        q.close();
    }
}

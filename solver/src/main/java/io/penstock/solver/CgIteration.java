package io.penstock.solver;

import io.penstock.array.Reductions;
import io.penstock.array.Vector;
import io.penstock.operator.LinearOperator;
import java.util.List;

/**
 * Conjugate gradients under way.
 *
 * @param <X> the class of the unknown
 */
public final class CgIteration<X extends Vector<X>> extends Iteration<X> {
    /** The name in checkpoints. */
    static final String SOLVER = "cg";

    /** The residual's norm may grow by the square root of the condition number; beyond this no digit can be right. */
    private static final double DIVERGED = 1e10;

    static final String INDEFINITE =
            "the operator is not positive definite, or not its own adjoint: use Cgls, or test the operator with its dot test";

    private final LinearOperator<X, X> a;
    private final X y;
    private final X x;
    private final X r;
    private final X p;
    private final X q;
    private final Reductions sums = new Reductions(1);
    private double rr;

    /** Starts at {@code x}, which becomes the iterate. */
    CgIteration(LinearOperator<X, X> a, X y, X x, boolean startIsZero, Settings<X> settings) {
        super(settings);
        this.a = a;
        this.y = y;
        this.x = x;
        r = y.copy();
        q = a.range().empty();
        if (!startIsZero) {
            a.forward(x, q);
            r.axpy(-1, q);
        }
        p = r.copy();
        r.dot(r, sums, 0);
        sums.reduce();
        rr = sums.re(0);
        requireFinite(rr, "the squared residual norm", 0);
        record();
        check();
    }

    CgIteration(LinearOperator<X, X> a, X y, CgState<X> from, Settings<X> settings) {
        super(settings, from.history());
        this.a = a;
        this.y = y;
        x = from.x().copy();
        r = from.residual().copy();
        p = from.direction().copy();
        q = a.range().empty();
        rr = from.residualSquared();
        check();
    }

    // Elements moved per iteration beside the operator's, n unknowns: p.q 2, x 3, r 3, r.r 1, p 3: 12 n.
    // Messages: two reductions, of one number each. Nothing is allocated.
    @Override
    void advance() {
        a.forward(p, q);
        sums.clear();
        p.dot(q, sums, 0);
        vote(sums);
        sums.reduce();
        double curvature = sums.re(0);
        if (cancelled(sums) || !curvatureIsPositive(curvature, "p^H A p", INDEFINITE)) return;
        double alpha = rr / curvature;
        x.axpy(alpha, p);
        r.axpy(-alpha, q);

        sums.clear();
        r.dot(r, sums, 0);
        sums.reduce();
        double next = sums.re(0);
        requireFinite(next, "the squared residual norm", iterations() + 1);
        p.axpby(1, r, next / rr);
        rr = next;
        record();
        requireConvergent(norms);
    }

    private void record() {
        double norm = Math.sqrt(rr);
        norms.add(norm, norm, norm);
    }

    /** Refuses to go on from a residual that has grown beyond all hope, as it does where the operator is not positive. */
    static void requireConvergent(Norms norms) {
        if (norms.lastResidual() > DIVERGED * norms.firstResidual())
            throw new SolverException(
                    norms.iterations(),
                    "the residual norm grew from " + norms.firstResidual() + " to " + norms.lastResidual() + "; "
                            + INDEFINITE);
    }

    @Override
    double residualNorm() {
        a.forward(x, q);
        q.axpby(1, y, -1);
        return q.norm();
    }

    /** A copy of all that the next iterations depend on. */
    public CgState<X> state() {
        return new CgState<>(x.copy(), r.copy(), p.copy(), rr, history());
    }

    @Override
    Snapshot snapshot() {
        return new Snapshot(SOLVER, List.of(x, r, p), new double[] {rr}, history());
    }

    @Override
    public X x() {
        return x;
    }

    @Override
    public void close() {
        r.close();
        p.close();
        q.close();
    }
}

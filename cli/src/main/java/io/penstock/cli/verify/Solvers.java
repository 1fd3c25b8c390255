package io.penstock.cli.verify;

import io.penstock.array.NDArray;
import io.penstock.array.Vector;
import io.penstock.comm.Communicator;
import io.penstock.operator.DenseMatrix;
import io.penstock.operator.LinearOperator;
import io.penstock.solver.Cg;
import io.penstock.solver.Cgls;
import io.penstock.solver.Observer;
import io.penstock.solver.PowerIteration;
import io.penstock.solver.Solution;
import io.penstock.solver.Stop;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The solvers. The peer's tolerances are on squared norms, and its CGLS calls the squared norm of the gradient r1norm. */
final class Solvers {
    /** The peer says 1 when it stopped at its tolerance and 2 when its iterations were used up. */
    private static final double STOPPED_AT_TOLERANCE = 1;

    private static final double STOPPED_AT_LIMIT = 2;

    private Solvers() {}

    static void register(Map<String, Mapping> mappings) {
        mappings.put("local solver cg", (r, ranks) -> cg(r, DenseMatrix.of(r.array("A"))));
        mappings.put("local solver cgls", (r, ranks) -> cgls(r, DenseMatrix.of(r.array("A")), "x0"));
        mappings.put("distributed solver cg", (r, ranks) -> cg(r, SolverOperators.square(r, ranks)));
        mappings.put("distributed solver cgls", (r, ranks) -> cgls(r, SolverOperators.any(r, ranks), "x0"));
        mappings.put(
                "distributed solver poststack", (r, ranks) -> cgls(r, SolverOperators.poststack(r, ranks), "mback"));
        mappings.put("distributed solver power_iteration", Solvers::powerIteration);
    }

    private static <X extends Vector<X>> Map<String, Values> cg(Reference r, LinearOperator<X, X> a) {
        Iterates<X> iterates = new Iterates<>(r);
        Cg<X> cg = Cg.of(a, Vectors.of(a.range(), r.array("y")))
                .iterations(r.whole("niter"))
                .absoluteTolerance(Math.sqrt(r.number("tol")))
                .observe(iterates);
        Solution<X> solution = (r.has("x0") ? cg.start(Vectors.of(a.domain(), r.array("x0"))) : cg).solve();
        Map<String, Values> results = new LinkedHashMap<>();
        results.put("x", Vectors.values(solution.x()));
        results.put("iiter", Values.of(solution.iterations()));
        results.put("cost", Values.of(solution.history().residualNorms()));
        if (r.has("out_x_iter")) results.put("x_iter", iterates.values());
        return results;
    }

    private static <X extends Vector<X>, Y extends Vector<Y>> Map<String, Values> cgls(
            Reference r, LinearOperator<X, Y> a, String start) {
        Y data = Vectors.of(a.range(), padded(r.array("y"), a.range().size()));
        Iterates<X> iterates = new Iterates<>(r);
        Cgls<X, Y> cgls = Cgls.of(a, data)
                .damping(r.number("damp"))
                .iterations(r.whole("niter"))
                .absoluteTolerance(Math.sqrt(r.number("tol")))
                .observe(iterates);
        if (r.has(start)) cgls = cgls.start(Vectors.of(a.domain(), r.array(start)));
        Map<String, Values> results = new LinkedHashMap<>();
        if (r.note().startsWith("PEER QUIRK")) {
            // The peer's iterates do not converge to the damped solution. The true one is recorded where A has full
            // rank.
            if (!r.has("exact_x")) throw new NotCovered("the true solution, which is not recorded");
            int enough = 4 * (int) a.domain().size();
            results.put(
                    "exact_x", Vectors.values(cgls.iterations(enough).solve().x()));
            return results;
        }
        Solution<X> solution = cgls.solve();
        List<Double> gradient = solution.history().gradientNorms();
        List<Double> costs = solution.history().costs();
        results.put("x", Vectors.values(solution.x()));
        results.put(
                "istop", Values.of(solution.stop() == Stop.ITERATION_LIMIT ? STOPPED_AT_LIMIT : STOPPED_AT_TOLERANCE));
        results.put("iiter", Values.of(solution.iterations()));
        results.put("cost", Values.of(solution.history().residualNorms()));
        results.put("r1norm", Values.of(gradient.getLast() * gradient.getLast()));
        results.put("r2norm", Values.of(costs.getLast()));
        if (r.has("out_cost1")) results.put("cost1", Values.of(costs));
        if (r.has("out_x_iter")) results.put("x_iter", iterates.values());
        return results;
    }

    private static Map<String, Values> powerIteration(Reference r, Communicator ranks) {
        var found = PowerIteration.of(Blocks.matrices(r.array("A"), ranks))
                .iterations(r.whole("niter"))
                .relativeTolerance(r.number("tol"))
                .solve();
        return Map.of("maxeig", Values.of(found.value().complex()));
    }

    /** Data of stacked operators is recorded without the zeros at its end. */
    private static NDArray padded(NDArray y, long size) {
        if (y.size() >= size) return y;
        NDArray padded = NDArray.zeros(y.dtype(), size);
        padded.slice(0, 0, y.size()).assign(y.reshape(y.size()));
        return padded;
    }

    /** Keeps the first iterates, as many as are recorded. */
    private static final class Iterates<X extends Vector<X>> implements Observer<X> {
        private final long wanted;
        private final List<Values> kept = new ArrayList<>();

        Iterates(Reference r) {
            wanted = r.has("out_x_iter") ? r.array("out_x_iter").dim(0) : 0;
        }

        @Override
        public Verdict observe(io.penstock.solver.Progress<X> progress) {
            if (kept.size() < wanted) kept.add(Vectors.values(progress.x()));
            return Verdict.CONTINUE;
        }

        Values values() {
            return Values.concatenated(kept);
        }
    }
}

package io.penstock.cli.poststack;

import io.penstock.array.Vector;
import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.StackedArray;
import io.penstock.operator.LinearOperator;
import io.penstock.operator.StackedVerticalStack;
import io.penstock.solver.Cg;
import io.penstock.solver.CgIteration;
import io.penstock.solver.Cgls;
import io.penstock.solver.CglsIteration;
import io.penstock.solver.Checkpoints;
import io.penstock.solver.Iteration;
import io.penstock.solver.NormalEquations;
import io.penstock.solver.Observer;
import java.util.Optional;

/** The ways in which the job inverts its data, all from the background. */
enum Inversion {
    /** Least squares: minimises {@code |y - A x|^2}. */
    CGLS("cgls", "CGLS") {
        @Override
        Iteration<DistributedArray> begin(
                Problem problem,
                Configuration how,
                Observer<DistributedArray> observer,
                Optional<Checkpoints> files,
                Restart restart) {
            return goOn(
                    Cgls.of(problem.modelling(), problem.data())
                            .start(problem.background())
                            .iterations(how.iterations())
                            .observe(observer),
                    files,
                    restart);
        }
    },
    /** Conjugate gradients on {@code (A^H A + weight^2 L^H L) x = A^H y}. */
    NORMAL("normal", "normal equations with Laplacian") {
        @Override
        Iteration<DistributedArray> begin(
                Problem problem,
                Configuration how,
                Observer<DistributedArray> observer,
                Optional<Checkpoints> files,
                Restart restart) {
            NormalEquations<DistributedArray> normal = NormalEquations.of(problem.modelling(), problem.data())
                    .regularized(problem.laplacian(), how.weight());
            Cg<DistributedArray> cg = Cg.of(normal)
                    .start(problem.background())
                    .iterations(how.iterations())
                    .observe(observer);
            if (files.isEmpty()) return cg.begin();
            Cg<DistributedArray> saving = cg.checkpoints(files.get(), restart.every());
            Optional<CgIteration<DistributedArray>> saved =
                    restart.resumes() ? saving.resume(files.get()) : Optional.empty();
            return saved.orElseGet(saving::begin);
        }
    },
    /** CGLS on {@code A} stacked on {@code weight L}, with zero data for the latter; the same minimum as {@link #NORMAL}. */
    REGULARIZED("regularized", "CGLS with stacked Laplacian") {
        @Override
        Iteration<DistributedArray> begin(
                Problem problem,
                Configuration how,
                Observer<DistributedArray> observer,
                Optional<Checkpoints> files,
                Restart restart) {
            LinearOperator<DistributedArray, DistributedArray> weighted =
                    problem.laplacian().scaled(how.weight());
            StackedVerticalStack<DistributedArray> stack = StackedVerticalStack.of(problem.modelling(), weighted);
            StackedArray data = StackedArray.of(problem.data(), weighted.range().zeros());
            return goOn(
                    Cgls.of(stack, data)
                            .start(problem.background())
                            .iterations(how.iterations())
                            .observe(observer),
                    files,
                    restart);
        }
    };

    private final String key;
    private final String title;

    Inversion(String key, String title) {
        this.key = key;
        this.title = title;
    }

    /** The name in file names and in the summary. */
    String key() {
        return key;
    }

    /** The name for people. */
    String title() {
        return title;
    }

    /** The solver at its start, or where it was saved last. */
    abstract Iteration<DistributedArray> begin(
            Problem problem,
            Configuration how,
            Observer<DistributedArray> observer,
            Optional<Checkpoints> files,
            Restart restart);

    private static <Y extends Vector<Y>> Iteration<DistributedArray> goOn(
            Cgls<DistributedArray, Y> cgls, Optional<Checkpoints> files, Restart restart) {
        if (files.isEmpty()) return cgls.begin();
        Cgls<DistributedArray, Y> saving = cgls.checkpoints(files.get(), restart.every());
        Optional<CglsIteration<DistributedArray, Y>> saved =
                restart.resumes() ? saving.resume(files.get()) : Optional.empty();
        return saved.orElseGet(saving::begin);
    }
}

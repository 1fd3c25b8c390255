package io.penstock.solver;

import java.util.Arrays;
import java.util.List;

/** The growing record behind a {@link History}. */
final class Norms {
    private double[] residual;
    private double[] gradient;
    private double[] cost;
    private int size;

    /** Room for the start and {@code expected} iterations before anything must grow. */
    Norms(int expected) {
        int room = Math.min(expected, 1 << 16) + 1;
        residual = new double[room];
        gradient = new double[room];
        cost = new double[room];
    }

    /** Continues a history. */
    Norms(History past, int expected) {
        this(Math.max(past.iterations(), expected));
        for (int i = 0; i <= past.iterations(); i++)
            add(
                    past.residualNorms().get(i),
                    past.gradientNorms().get(i),
                    past.costs().get(i));
    }

    void add(double residualNorm, double gradientNorm, double costNorm) {
        if (size == residual.length) {
            residual = Arrays.copyOf(residual, 2 * size);
            gradient = Arrays.copyOf(gradient, 2 * size);
            cost = Arrays.copyOf(cost, 2 * size);
        }
        residual[size] = residualNorm;
        gradient[size] = gradientNorm;
        cost[size++] = costNorm;
    }

    int iterations() {
        return size - 1;
    }

    double firstResidual() {
        return residual[0];
    }

    double firstGradient() {
        return gradient[0];
    }

    double lastGradient() {
        return gradient[size - 1];
    }

    double lastResidual() {
        return residual[size - 1];
    }

    double firstCost() {
        return cost[0];
    }

    double lastCost() {
        return cost[size - 1];
    }

    History history() {
        return new History(list(residual), list(gradient), list(cost));
    }

    private List<Double> list(double[] values) {
        return Arrays.stream(values, 0, size).boxed().toList();
    }
}

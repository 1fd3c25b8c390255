package io.penstock.operator;

import io.penstock.array.ArraySpace;
import io.penstock.array.NDArray;

/** An operator between local arrays whose loops want them contiguous; views with gaps are copied in and out. */
abstract class ArrayOperator extends LinearOperator<NDArray, NDArray> {
    private final Workspace<NDArray> x;
    private final Workspace<NDArray> y;

    ArrayOperator(ArraySpace domain, ArraySpace range) {
        super(domain, range);
        this.x = new Workspace<>(domain);
        this.y = new Workspace<>(range);
    }

    final ArraySpace domainSpace() {
        return (ArraySpace) domain();
    }

    final ArraySpace rangeSpace() {
        return (ArraySpace) range();
    }

    /** Runs the loops in their order among work of queues; operators of others leave that to these. */
    void ordered(Runnable loops, NDArray given, NDArray result) {
        Ordered.run(loops, result, given);
    }

    /** {@code y = A x} on contiguous arrays. */
    abstract void forwardPacked(NDArray x, NDArray y);

    /** {@code x = A^H y} on contiguous arrays. */
    abstract void adjointPacked(NDArray y, NDArray x);

    @Override
    protected final void applyForward(NDArray given, NDArray result) {
        ordered(() -> forwardHere(given, result), given, result);
    }

    private void forwardHere(NDArray given, NDArray result) {
        NDArray from = packed(given, x);
        if (result.isContiguous()) {
            forwardPacked(from, result);
            return;
        }
        forwardPacked(from, y.get());
        result.assign(y.get());
    }

    @Override
    protected final void applyAdjoint(NDArray given, NDArray result) {
        ordered(() -> adjointHere(given, result), given, result);
    }

    private void adjointHere(NDArray given, NDArray result) {
        NDArray from = packed(given, y);
        if (result.isContiguous()) {
            adjointPacked(from, result);
            return;
        }
        adjointPacked(from, x.get());
        result.assign(x.get());
    }

    private static NDArray packed(NDArray array, Workspace<NDArray> workspace) {
        if (array.isContiguous()) return array;
        NDArray copy = workspace.get();
        copy.assign(array);
        return copy;
    }

    @Override
    public void close() {
        x.close();
        y.close();
    }
}

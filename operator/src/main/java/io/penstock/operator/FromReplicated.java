package io.penstock.operator;

import io.penstock.array.NDArray;
import io.penstock.comm.ReduceOp;
import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.DistributedSpace;

/**
 * An operator from arrays that every rank holds whole to arrays that are cut: {@code y_r = L_r x}. Forward sends nothing; the
 * adjoint, {@code x = sum over r of L_r^H y_r}, takes one all-reduce.
 */
final class FromReplicated extends LinearOperator<DistributedArray, DistributedArray> {
    private final LinearOperator<NDArray, NDArray> local;

    FromReplicated(DistributedSpace domain, DistributedSpace range, LinearOperator<NDArray, NDArray> local) {
        super(domain, range);
        Spaces.requireSame(domain, range);
        Spaces.requireReplicated("domain", domain);
        Spaces.requireCut("range", range);
        Operands.requireSame("the domain of this rank's operator", local.domain(), domain.local());
        Operands.requireSame("the range of this rank's operator", local.range(), range.local());
        this.local = local;
    }

    @Override
    protected void applyForward(DistributedArray x, DistributedArray y) {
        local.applyForward(x.local(), y.local());
    }

    @Override
    protected void applyAdjoint(DistributedArray y, DistributedArray x) {
        local.applyAdjoint(y.local(), x.local());
        x.space().ranks().allReduce(x.local(), ReduceOp.SUM);
    }

    @Override
    public LinearOperator<DistributedArray, DistributedArray> complex() {
        LinearOperator<NDArray, NDArray> complex = local.complex();
        if (complex.domain().equals(local.domain())) return this;
        DistributedSpace domain = (DistributedSpace) domain();
        DistributedSpace range = (DistributedSpace) range();
        return new FromReplicated(
                domain.as(complex.domain().dtype()), range.as(complex.range().dtype()), complex);
    }

    @Override
    public boolean isComplexLinear() {
        return local.isComplexLinear();
    }

    @Override
    public void close() {
        local.close();
    }
}

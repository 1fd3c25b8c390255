package io.penstock.operator;

import io.penstock.distributed.DistributedArray;
import io.penstock.distributed.DistributedSpace;
import io.penstock.distributed.Layout;

/**
 * A stencil as an operator between distributed arrays. Where it reaches across the cut, the rows that other ranks hold travel
 * while the rows that need none of them are computed.
 */
final class DistributedStencil extends AccumulatingOperator<DistributedArray> {
    private final String name;
    private final DistributedPass forward;
    private final DistributedPass adjoint;

    private DistributedStencil(String name, ComplexStencil stencil, DistributedSpace domain, DistributedSpace range) {
        super(domain, range);
        this.name = name;
        forward = DistributedPass.of(stencil, domain);
        adjoint = DistributedPass.of(stencil.adjoint(), range);
    }

    /**
     * The operator on a space of the stencil's shape.
     *
     * @throws IllegalArgumentException when the stencil changes the extent of the axis that the space is cut along
     */
    static DistributedStencil of(String name, ComplexStencil stencil, DistributedSpace domain) {
        Layout layout = domain.layout();
        long[] range = stencil.re().range();
        if (!layout.isReplicated() && range[layout.axis()] != layout.dim(layout.axis()))
            throw new IllegalArgumentException("the result has extent " + range[layout.axis()] + " along axis "
                    + layout.axis() + ", along which " + domain + " is cut; expected it to keep its extent");
        for (int k = 0; k < range.length; k++) if (k != layout.axis()) layout = layout.withExtent(k, range[k]);
        return new DistributedStencil(name, stencil, domain, domain.with(layout));
    }

    @Override
    void forward(DistributedArray x, DistributedArray y, boolean accumulate) {
        forward.apply(x, y, accumulate);
    }

    @Override
    void adjoint(DistributedArray y, DistributedArray x, boolean accumulate) {
        adjoint.apply(y, x, accumulate);
    }

    @Override
    public void close() {
        forward.close();
        adjoint.close();
    }

    @Override
    public String toString() {
        return name + " on " + domain();
    }
}

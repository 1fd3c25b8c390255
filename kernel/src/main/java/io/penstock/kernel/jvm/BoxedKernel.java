package io.penstock.kernel.jvm;

/**
 * A kernel whose compiled code is a loop over a box of items: a range of x, one of y and one of z. So what holds for one index
 * alone, as that a stencil leaves out the border, is found once for all rows.
 */
abstract class BoxedKernel extends CompiledKernel {
    BoxedKernel() {}

    /** Runs the items of a box, whose ranges are neither empty nor beyond the launch's. */
    abstract void box(long[] launch, long scratch, long x, long endX, long y, long endY, long z, long endZ);

    @Override
    public final void run(long[] launch, long scratch, long from, long to) {
        long sizeX = launch[LaunchWords.SIZE_X];
        if (from >= to) return;
        long row = from == 0 ? 0 : from / sizeX;
        long x = from - row * sizeX;
        long rows = to / sizeX;
        long rest = to - rows * sizeX;
        if (row == rows) {
            rows(launch, scratch, x, rest, row, row + 1);
            return;
        }
        if (x > 0) rows(launch, scratch, x, sizeX, row, row + 1);
        rows(launch, scratch, 0, sizeX, x > 0 ? row + 1 : row, rows);
        if (rest > 0) rows(launch, scratch, 0, rest, rows, rows + 1);
    }

    /** Runs one range of x of rows that are counted along y first. */
    private void rows(long[] launch, long scratch, long x, long endX, long from, long to) {
        long sizeY = launch[LaunchWords.SIZE_Y];
        if (from >= to) return;
        long plane = from == 0 ? 0 : from / sizeY;
        long y = from - plane * sizeY;
        long planes = sizeY == 1 ? to : to / sizeY;
        long rest = to - planes * sizeY;
        if (plane == planes) {
            box(launch, scratch, x, endX, y, rest, plane, plane + 1);
            return;
        }
        if (y > 0) box(launch, scratch, x, endX, y, sizeY, plane, plane + 1);
        long whole = y > 0 ? plane + 1 : plane;
        if (whole < planes) box(launch, scratch, x, endX, 0, sizeY, whole, planes);
        if (rest > 0) box(launch, scratch, x, endX, 0, rest, planes, planes + 1);
    }
}

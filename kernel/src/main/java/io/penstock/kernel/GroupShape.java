package io.penstock.kernel;

/**
 * How many items a group has along each dimension.
 *
 * @param chosen whether the caller chose it
 */
record GroupShape(boolean chosen, int z, int y, int x) {
    /** The most items that a group can have on any device. */
    static final int MOST_ITEMS = 1024;

    private static final int USUAL = 256;
    private static final int USUAL_SIDE = 16;
    private static final int USUAL_DEPTH = 4;

    GroupShape {
        long items = (long) x * y * z;
        if (x < 1 || y < 1 || z < 1 || items > MOST_ITEMS)
            throw new IllegalArgumentException("groups of " + z + " x " + y + " x " + x
                    + " items; expected at least 1 in each" + " dimension and at most " + MOST_ITEMS + " in all");
    }

    /** The shape where the caller leaves the choice: 256 items. */
    static GroupShape usual(int dimensions) {
        return switch (dimensions) {
            case 1 -> new GroupShape(false, 1, 1, USUAL);
            case 2 -> new GroupShape(false, 1, USUAL_SIDE, USUAL_SIDE);
            default -> new GroupShape(false, USUAL_DEPTH, USUAL_DEPTH, USUAL_SIDE);
        };
    }

    /** This shape, halved along its longest dimensions until it has no more items than that. */
    GroupShape withAtMost(int items) {
        GroupShape shape = this;
        while (shape.z * shape.y * shape.x > Math.max(1, items))
            if (shape.z > shape.y && shape.z > shape.x) shape = new GroupShape(chosen, shape.z / 2, shape.y, shape.x);
            else if (shape.y >= shape.x) shape = new GroupShape(chosen, shape.z, shape.y / 2, shape.x);
            else shape = new GroupShape(chosen, shape.z, shape.y, shape.x / 2);
        return shape;
    }
}

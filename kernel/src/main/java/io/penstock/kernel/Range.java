package io.penstock.kernel;

/**
 * The points that a kernel is launched over, {@code x} innermost.
 *
 * @param dimensions how many of the three sizes the caller gave, the innermost first
 * @param group how it is cut into groups, of which the last along a dimension may have fewer items
 */
record Range(int dimensions, long z, long y, long x, GroupShape group) {
    Range(int dimensions, long z, long y, long x) {
        this(dimensions, z, y, x, GroupShape.usual(dimensions));
    }

    Range {
        require("planes", z);
        require("rows", y);
        require(dimensions == 1 ? "n" : "columns", x);
        try {
            if (x != 0 && y != 0 && z != 0) Math.multiplyExact(Math.multiplyExact(x, y), z);
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException(
                    "a range of " + z + " x " + y + " x " + x + " has more than 2^63 - 1 items", e);
        }
    }

    private static void require(String name, long size) {
        if (size < 0) throw new IllegalArgumentException(name + " is " + size + "; expected 0 or more");
    }

    /** How many points there are. */
    long items() {
        return x * y * z;
    }

    /** How many groups there are along {@code x}. */
    long groupsX() {
        return Math.ceilDiv(x, (long) group.x());
    }

    /** How many groups there are along {@code y}. */
    long groupsY() {
        return Math.ceilDiv(y, (long) group.y());
    }

    /** How many groups there are along {@code z}. */
    long groupsZ() {
        return Math.ceilDiv(z, (long) group.z());
    }

    /** How many groups there are. */
    long groups() {
        return groupsX() * groupsY() * groupsZ();
    }

    /** Whether no group is cut short by the range's end. */
    boolean hasWholeGroups() {
        return x % group.x() == 0 && y % group.y() == 0 && z % group.z() == 0;
    }

    /** Its points in groups of a shape. */
    Range in(GroupShape shape) {
        return new Range(dimensions, z, y, x, shape);
    }

    /** The range's own extents, outermost first as they were given. */
    String describe() {
        return switch (dimensions) {
            case 1 -> x + " items";
            case 2 -> y + " rows x " + x + " columns";
            default -> z + " planes x " + y + " rows x " + x + " columns";
        };
    }

    /** A point as a person would write it, such as {@code (x=3, y=4)}. */
    String describe(long itemX, long itemY, long itemZ) {
        StringBuilder text = new StringBuilder("(x=").append(itemX);
        if (dimensions > 1) text.append(", y=").append(itemY);
        if (dimensions > 2) text.append(", z=").append(itemZ);
        return text.append(')').toString();
    }

    /** The group of a point, as {@link #describe(long, long, long)} has the point. */
    String describeGroup(long itemX, long itemY, long itemZ) {
        return describe(itemX / group.x(), itemY / group.y(), itemZ / group.z());
    }
}

package io.penstock.kernel.ir;

import org.jspecify.annotations.Nullable;

/** What a kernel can ask of a view or of the range; known when a launch begins. */
public enum Query {
    /** The extent of a view's innermost dimension. */
    COLUMNS("columns"),
    /** The extent of a view's second dimension from the inside. */
    ROWS("rows"),
    /** The extent of a view's third dimension from the inside. */
    PLANES("planes"),
    /** The number of elements of a view. */
    LENGTH("length"),
    /** The number of dimensions of a view, an {@code INT}. */
    DIMENSIONS("dimensions"),
    /** The extent of a view's outermost dimension. */
    EXTENT_0("extent0"),
    /** The extent of a view's second dimension from the outside. */
    EXTENT_1("extent1"),
    /** The extent of a view's third dimension from the outside. */
    EXTENT_2("extent2"),
    /** How many items the range has along {@code x}. */
    SIZE_X("sizeX"),
    /** How many items the range has along {@code y}. */
    SIZE_Y("sizeY"),
    /** How many items the range has along {@code z}. */
    SIZE_Z("sizeZ"),
    /** How many items a group has along {@code x}. */
    GROUP_SIZE_X("groupSizeX"),
    /** How many items a group has along {@code y}. */
    GROUP_SIZE_Y("groupSizeY"),
    /** How many items a group has along {@code z}. */
    GROUP_SIZE_Z("groupSizeZ"),
    /** How many groups there are along {@code x}. */
    GROUPS_X("groupsX"),
    /** How many groups there are along {@code y}. */
    GROUPS_Y("groupsY"),
    /** How many groups there are along {@code z}. */
    GROUPS_Z("groupsZ");

    private final String text;

    Query(String text) {
        this.text = text;
    }

    /** Whether this is asked of the range rather than of a view. */
    public boolean ofRange() {
        return compareTo(SIZE_X) >= 0;
    }

    /** Whether the answer depends on how the range is cut into groups. */
    public boolean ofGroups() {
        return compareTo(GROUP_SIZE_X) >= 0;
    }

    /** The extent of a dimension, counted from the outside; null beyond the third. */
    static @Nullable Query extent(int dimension) {
        return switch (dimension) {
            case 0 -> EXTENT_0;
            case 1 -> EXTENT_1;
            case 2 -> EXTENT_2;
            default -> null;
        };
    }

    /** The name of the method that asks it, with the dimension where it takes one. */
    public String text() {
        return text;
    }
}

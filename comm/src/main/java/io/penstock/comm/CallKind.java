package io.penstock.comm;

/** The collectives, by the names that messages give them. */
enum CallKind {
    BARRIER("barrier"),
    BROADCAST("broadcast"),
    ALL_REDUCE("allReduce"),
    ALL_REDUCE_VALUES("allReduce of a double[]"),
    REDUCE("reduce"),
    REDUCE_SCATTER("reduceScatter"),
    ALL_GATHER("allGather"),
    GATHER("gather"),
    SCATTER("scatter"),
    ALL_TO_ALL("allToAll"),
    SPLIT("split");

    private final String title;

    CallKind(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }

    /** Whether each rank hands over one part that goes to others whole. */
    boolean gathers() {
        return this == ALL_GATHER || this == GATHER;
    }

    boolean reduces() {
        return this == ALL_REDUCE || this == REDUCE || this == REDUCE_SCATTER;
    }
}

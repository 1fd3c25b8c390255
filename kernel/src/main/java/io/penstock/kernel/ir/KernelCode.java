package io.penstock.kernel.ir;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A kernel in the intermediate form: what one work-item does, in static single assignment.
 *
 * <p>Blocks stand in reverse postorder: the first is where the item begins, and an edge to a block that does not stand later
 * closes a loop, whose header dominates all of it.
 *
 * @param name the class and method
 * @param parameters the launch's values in their order
 * @param blocks the blocks that can be reached
 */
public record KernelCode(String name, List<Parameter> parameters, List<Block> blocks) {
    /** The code of a kernel; the lists are copied. */
    public KernelCode {
        parameters = List.copyOf(parameters);
        blocks = List.copyOf(blocks);
    }

    /** How many numbers its values have; each number is below. */
    public int values() {
        int count = 0;
        for (Block block : blocks) {
            for (Value value : block.parameters()) count = Math.max(count, value.number() + 1);
            for (Value value : block.values()) count = Math.max(count, value.number() + 1);
        }
        return count;
    }

    /** Whether an operation occurs. */
    public boolean uses(Operation operation) {
        for (Block block : blocks) for (Value value : block.values()) if (value.operation() == operation) return true;
        return false;
    }

    /** The arrays that the items of a group share, in the order of the code. */
    public List<Value> localArrays() {
        List<Value> arrays = new ArrayList<>();
        for (Block block : blocks)
            for (Value value : block.values()) if (value.operation() == Operation.LOCAL_ARRAY) arrays.add(value);
        return arrays;
    }

    /** Whether the items of a group share memory or wait for each other, so that a group must run as one. */
    public boolean needsGroups() {
        return uses(Operation.BARRIER) || uses(Operation.LOCAL_ARRAY);
    }

    /** Whether it matters how the range is cut into groups. */
    public boolean seesGroups() {
        if (needsGroups()) return true;
        for (Block block : blocks) for (Value value : block.values()) if (seesGroups(value)) return true;
        return false;
    }

    private static boolean seesGroups(Value value) {
        return switch (value.operation()) {
            case LOCAL_X, LOCAL_Y, LOCAL_Z, GROUP_X, GROUP_Y, GROUP_Z -> true;
            case QUERY -> value.attribute(Query.class).ofGroups();
            default -> false;
        };
    }

    /** The code as text, one value a line, with the lines of the source. */
    @Override
    public String toString() {
        return Listing.of(this);
    }

    /** The code as text, with a note beside each value; an empty one for none. */
    public String toString(Function<Value, String> note) {
        return Listing.of(this, note);
    }
}

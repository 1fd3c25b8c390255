package io.penstock.kernel.ir;

import java.util.List;

/**
 * A way from one block to another.
 *
 * @param arguments what the parameters of the target become, in their order
 */
public record Edge(Block target, List<Value> arguments) {
    /** An edge; the arguments are copied. */
    public Edge {
        arguments = List.copyOf(arguments);
    }
}

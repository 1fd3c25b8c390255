package io.penstock.kernel.ir;

import java.util.List;

/** How a block ends. */
public sealed interface Terminator {
    /** The ways on, none from a return. */
    List<Edge> edges();

    /** Goes on in another block. */
    record Jump(Edge edge) implements Terminator {
        @Override
        public List<Edge> edges() {
            return List.of(edge);
        }
    }

    /** Goes one way where a condition holds and the other where it does not. */
    record Branch(Value condition, Edge yes, Edge no) implements Terminator {
        @Override
        public List<Edge> edges() {
            return List.of(yes, no);
        }
    }

    /** The item is done. */
    record Return() implements Terminator {
        @Override
        public List<Edge> edges() {
            return List.of();
        }
    }
}

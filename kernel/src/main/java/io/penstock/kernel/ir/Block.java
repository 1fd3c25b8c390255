package io.penstock.kernel.ir;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Values computed one after another, and where to go from there. */
public final class Block {
    private final List<Value> parameters = new ArrayList<>();
    private final List<Value> values = new ArrayList<>();
    private Terminator terminator = new Terminator.Return();
    private int number = -1;

    /** What the edges that lead here give; each a {@link Operation#PHI}. */
    public List<Value> parameters() {
        return Collections.unmodifiableList(parameters);
    }

    /** What the block computes, in order. */
    public List<Value> values() {
        return Collections.unmodifiableList(values);
    }

    /** How it ends. */
    public Terminator terminator() {
        return terminator;
    }

    /** Its position in {@link KernelCode#blocks()}. */
    public int number() {
        return number;
    }

    void number(int number) {
        this.number = number;
    }

    List<Value> mutableParameters() {
        return parameters;
    }

    List<Value> mutableValues() {
        return values;
    }

    void terminator(Terminator terminator) {
        this.terminator = terminator;
    }

    @Override
    public String toString() {
        return "b" + number;
    }
}

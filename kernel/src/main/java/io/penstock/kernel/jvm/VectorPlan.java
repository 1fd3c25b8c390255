package io.penstock.kernel.jvm;

import io.penstock.kernel.ir.Block;
import io.penstock.kernel.ir.Edge;
import io.penstock.kernel.ir.Element;
import io.penstock.kernel.ir.KernelCode;
import io.penstock.kernel.ir.Operation;
import io.penstock.kernel.ir.Value;
import io.penstock.kernel.ir.ValueType;
import java.util.BitSet;
import java.util.Map;
import java.util.Objects;

/** How a kernel is to run in vectors, one item a lane: how many lanes there are, and what each value and access becomes. */
final class VectorPlan {
    /** How the lanes of an access lie. */
    enum Pattern {
        /** All at one place. */
        UNIFORM,
        /** Next to each other, in the order of the lanes. */
        CONTIGUOUS,
        /** Anywhere. */
        SCATTERED
    }

    /** Thrown when a kernel cannot, or had better not, run in vectors; the message says why. */
    static final class Unsuitable extends Exception {
        private static final long serialVersionUID = 1L;

        Unsuitable(String why) {
            super(why);
        }
    }

    private final KernelCode code;
    private final LaunchShape shape;
    private final Flow flow;
    private final Variation variation;
    private final Map<Block, Region> regions;
    private final BitSet asVector = new BitSet();
    private final int lanes;

    /** Plans for vectors of so many bits. */
    VectorPlan(KernelCode code, LaunchShape shape, int vectorBits) throws Unsuitable {
        this.code = code;
        this.shape = shape;
        if (vectorBits == 0)
            throw new Unsuitable("the JVM was started without the Vector API (--add-modules jdk.incubator.vector)");
        if (code.seesGroups()) throw new Unsuitable("it sees groups, whose items run one after the other");
        if (code.uses(Operation.PRIVATE_ARRAY)) throw new Unsuitable("its items have arrays of their own");
        flow = new Flow(code.blocks());
        if (flow.isEndless()) throw new Unsuitable("some way through the kernel has no end");
        variation = new Variation(code, flow, shape);
        try {
            regions = Region.find(code, flow, variation);
        } catch (Region.Tangled e) {
            throw new Unsuitable("items that part do not meet again in one place");
        }
        for (Block block : code.blocks()) {
            for (Value value : block.parameters()) if (variation.varies(value)) asVector.set(value.number());
            for (Value value : block.values())
                if (value.type().isNumber() && variation.varies(value) && !isWidened(value))
                    asVector.set(value.number());
        }
        for (Block block : code.blocks()) {
            for (Value value : block.values()) materialize(value);
            for (Edge edge : block.terminator().edges())
                for (Value argument : edge.arguments())
                    if (isWidened(argument) && variation.varies(argument)) asVector.set(argument.number());
        }
        lanes = vectorBits / widest();
        if (lanes < 2) throw new Unsuitable("vectors of " + vectorBits + " bits hold one number of the kernel's");
        Cost.require(this);
    }

    /** Whether a value is an int with more bits, which most uses can do without. */
    static boolean isWidened(Value value) {
        return value.operation() == Operation.CONVERT
                && value.type() == ValueType.LONG
                && value.operand(0).type() == ValueType.INT;
    }

    /** Marks widened ints that an operation needs as longs. */
    private void materialize(Value user) {
        boolean access = user.operation().isAccess();
        for (int k = 0; k < user.operands().size(); k++) {
            Value operand = user.operand(k);
            if (!isWidened(operand) || !variation.varies(operand)) continue;
            if (variation.isLasting(operand)) asVector.set(operand.number());
            if (access && k > 0 && k <= user.indices().size()) continue;
            if (user.operation().isComparison() && comparedAs(user) == ValueType.INT) continue;
            if (user.operation() == Operation.CONVERT) continue;
            asVector.set(operand.number());
        }
    }

    private int widest() {
        int bits = 32;
        for (Block block : code.blocks()) {
            for (Value value : block.parameters()) if (isVector(value)) bits = Math.max(bits, bits(value.type()));
            for (Value value : block.values()) {
                if (isVector(value)) bits = Math.max(bits, bits(value.type()));
                if (value.operation().isComparison() && !variation.isUniform(value))
                    bits = Math.max(bits, bits(comparedAs(value)));
                if (value.operation() == Operation.CONVERT && isVector(value))
                    bits = Math.max(bits, bits(convertedFrom(value)));
                if (value.operation() == Operation.STORE)
                    bits = Math.max(bits, bits(value.operands().getLast().type()));
            }
        }
        return bits;
    }

    private static int bits(ValueType type) {
        return type == ValueType.LONG || type == ValueType.DOUBLE ? 64 : 32;
    }

    KernelCode code() {
        return code;
    }

    LaunchShape shape() {
        return shape;
    }

    Flow flow() {
        return flow;
    }

    Variation variation() {
        return variation;
    }

    int lanes() {
        return lanes;
    }

    /** All lanes as bits of a mask. */
    long all() {
        return -1L >>> (64 - lanes);
    }

    /** The region that a branch leads into, or that a block is in. */
    Region region(Block block) {
        return Objects.requireNonNull(regions.get(block));
    }

    /** Whether a value is kept as a vector; others that are used as one are made into it where they are. */
    boolean isVector(Value value) {
        return value.number() >= 0 && asVector.get(value.number());
    }

    /** Whether a long is known to be what an int can hold, and can be had as an int vector. */
    boolean isNarrow(Value value) {
        if (value.type() != ValueType.LONG) return false;
        if (value.operation() == Operation.CONSTANT) {
            long number = value.attribute(Number.class).longValue();
            return number == (int) number;
        }
        if (isWidened(value)) return true;
        return !variation.varies(value) && shape.narrow().get(value.number());
    }

    /** Whether all lanes of a comparison agree if the first and the last do: of longs that grow by constants and do not wrap. */
    boolean isMonotonic(Value condition) {
        return switch (condition.operation()) {
            case LT, LE, GT, GE -> {
                for (Value operand : condition.operands())
                    if (!isNarrow(operand) || variation.varies(operand)) yield false;
                yield true;
            }
            default -> false;
        };
    }

    /** The type whose vectors a comparison compares. */
    ValueType comparedAs(Value comparison) {
        Value a = comparison.operand(0);
        Value b = comparison.operand(1);
        return isNarrow(a) && isNarrow(b) ? ValueType.INT : a.type();
    }

    /** The type whose vector a conversion starts from. */
    ValueType convertedFrom(Value conversion) {
        return isNarrow(conversion.operand(0))
                ? ValueType.INT
                : conversion.operand(0).type();
    }

    Pattern pattern(Value access) {
        Element element = Accesses.element(access);
        long outer = 0;
        for (Value index : access.indices()) {
            long step = variation.step(index);
            if (step == Variation.VARYING) return Pattern.SCATTERED;
            if (index != access.indices().getLast()) outer |= step;
        }
        long inner = variation.step(access.indices().getLast());
        if (outer != 0) return Pattern.SCATTERED;
        if (inner == 0) return Pattern.UNIFORM;
        boolean whole = element.parts() == 1 && (element != Element.BYTE || lanes >= 8);
        return inner == 1 && whole && shape.isAdjacent(access) ? Pattern.CONTIGUOUS : Pattern.SCATTERED;
    }

    /** Whether an operation has no vector form, so that it is done lane by lane. */
    boolean isLaneByLane(Value value) {
        return switch (value.operation()) {
            case MATH -> isVector(value);
            case DIV -> value.type().isInteger() && isVector(value);
            case REM -> isVector(value);
            case LOAD -> isVector(value) && pattern(value) == Pattern.SCATTERED;
            case ATOMIC -> true;
            case STORE -> pattern(value) != Pattern.CONTIGUOUS;
            default -> false;
        };
    }
}

package io.penstock.kernel.jvm;

import io.penstock.kernel.ir.Block;
import io.penstock.kernel.ir.Edge;
import io.penstock.kernel.ir.KernelCode;
import io.penstock.kernel.ir.Operation;
import io.penstock.kernel.ir.Terminator;
import io.penstock.kernel.ir.Value;
import io.penstock.kernel.ir.ValueType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * How values differ between the items of neighbouring lanes, which go through the code together: not at all, by a constant, or
 * in ways unknown; and which blocks some lanes may pass while others do not.
 *
 * <p>Found by assuming the best and giving up what does not hold, until nothing changes. Loops go round for all lanes at once,
 * until no lane is left, so a value within a loop may be the same in all lanes that are still there; one that is used after a
 * loop which lanes leave at different times is not.
 */
final class Variation {
    /** The step of a value of which nothing is known. */
    static final long VARYING = Long.MIN_VALUE;

    private static final long UNDECIDED = Long.MAX_VALUE;
    /** Steps beyond are as good as unknown, which keeps products of steps exact. */
    private static final long LARGEST = 1 << 20;

    private final KernelCode code;
    private final Flow flow;
    private final LaunchShape shape;
    private final long[] steps;
    private BitSet parted = new BitSet();
    private final BitSet lasting = new BitSet();
    private boolean changed;

    Variation(KernelCode code, Flow flow, LaunchShape shape) {
        this.code = code;
        this.flow = flow;
        this.shape = shape;
        steps = new long[code.values()];
        Arrays.fill(steps, UNDECIDED);
        do {
            changed = false;
            for (Block block : code.blocks()) {
                for (int k = 0; k < block.parameters().size(); k++)
                    lower(block.parameters().get(k), parameter(block, k));
                for (Value value : block.values()) if (value.type() != ValueType.NOTHING) lower(value, computed(value));
            }
            part();
            last();
        } while (changed);
    }

    /** By how much a value grows from a lane to the next: 0 if it is the same in all, {@link #VARYING} if that is unknown. */
    long step(Value value) {
        return value.operation() == Operation.CONSTANT ? 0 : steps[value.number()];
    }

    boolean isUniform(Value value) {
        return step(value) == 0;
    }

    boolean varies(Value value) {
        return step(value) == VARYING;
    }

    /** Whether some lanes may pass a block while others do not. */
    boolean isParted(Block block) {
        return parted.get(block.number());
    }

    /** Whether a value is used after a loop in which it is computed and which lanes leave at different times. */
    boolean isLasting(Value value) {
        return lasting.get(value.number());
    }

    /** Whether lanes may leave a loop at different times. */
    boolean isParted(Flow.Loop loop) {
        return isParted(loop.header());
    }

    private void lower(Value value, long found) {
        long before = steps[value.number()];
        long now = lasting.get(value.number()) && found != UNDECIDED ? VARYING : found;
        if (now == before || now == UNDECIDED) return;
        // What was given up stays so, which makes this end.
        if (before == VARYING) return;
        steps[value.number()] = before == UNDECIDED ? now : VARYING;
        changed = true;
    }

    private long parameter(Block block, int k) {
        List<Flow.Arrival> arrivals = flow.arrivals(block);
        long step = UNDECIDED;
        for (Flow.Arrival arrival : arrivals) {
            Value given = arrival.edge().arguments().get(k);
            long one = step(given);
            if (one == UNDECIDED) continue;
            if (step == UNDECIDED) step = one;
            else if (step != one) return VARYING;
        }
        return mixes(block) ? VARYING : step;
    }

    /** Whether lanes may come to a block by different edges at once, or by one at different times. */
    private boolean mixes(Block block) {
        int onwards = 0;
        int back = 0;
        for (Flow.Arrival arrival : flow.arrivals(block)) {
            if (!isMasked(arrival)) continue;
            if (arrival.isBack()) back++;
            else onwards++;
            for (Flow.Loop loop : flow.loops())
                if (loop.contains(arrival.from()) && !loop.contains(block) && isParted(loop)) return true;
        }
        return isParted(block) ? onwards > 1 || back > 1 : onwards + back > 1;
    }

    /** Whether an edge is taken by some lanes only, as far as its beginning tells. */
    boolean isMasked(Flow.Arrival arrival) {
        return isParted(arrival.from())
                || parts(arrival.from())
                || isParted(arrival.edge().target());
    }

    /** Whether a block ends with a condition that differs between lanes. */
    boolean parts(Block block) {
        return block.terminator() instanceof Terminator.Branch(Value condition, Edge _, Edge _)
                && step(condition) != 0
                && step(condition) != UNDECIDED;
    }

    private long computed(Value value) {
        return switch (value.operation()) {
            case PARAMETER, QUERY, ITEM_Y, ITEM_Z -> 0;
            case ITEM_X -> 1;
            case ATOMIC -> VARYING;
            default -> {
                List<Long> operands = new ArrayList<>();
                for (Value operand : value.operands())
                    if (operand.type() != ValueType.REFERENCE) operands.add(step(operand));
                if (operands.contains(UNDECIDED)) yield UNDECIDED;
                if (operands.stream().allMatch(step -> step == 0)) yield 0;
                if (operands.contains(VARYING) || !value.type().isInteger()) yield VARYING;
                long step = affine(value, operands);
                yield Math.abs(step) > LARGEST ? VARYING : step;
            }
        };
    }

    private long affine(Value value, List<Long> operands) {
        return switch (value.operation()) {
            case ADD -> operands.get(0) + operands.get(1);
            case SUB -> operands.get(0) - operands.get(1);
            case NEG -> -operands.get(0);
            case MUL -> {
                Value left = value.operand(0);
                Value right = value.operand(1);
                if (right.operation() == Operation.CONSTANT) yield times(operands.get(0), number(right));
                yield left.operation() == Operation.CONSTANT ? times(operands.get(1), number(left)) : VARYING;
            }
            case SHL -> {
                Value by = value.operand(1);
                yield by.operation() == Operation.CONSTANT && number(by) >= 0 && number(by) < 20
                        ? operands.get(0) << number(by)
                        : VARYING;
            }
            case CONVERT -> {
                if (value.type() == ValueType.INT || value.operand(0).type() == ValueType.LONG) yield operands.get(0);
                // The sum of an int and the lane may wrap around, unless the launch proves the opposite.
                Long known = shape.perX().get(value.number());
                yield known != null && known.equals(operands.get(0)) ? known : VARYING;
            }
            default -> VARYING;
        };
    }

    private static long number(Value constant) {
        return constant.attribute(Number.class).longValue();
    }

    private static long times(long step, long factor) {
        return Math.abs(factor) > LARGEST ? VARYING : step * factor;
    }

    /** Marks what lies between each branch that parts the lanes and where they meet again. */
    private void part() {
        BitSet now = new BitSet();
        for (Block block : code.blocks()) {
            if (!parts(block)) continue;
            Block meeting = flow.meeting(block);
            now.or(flow.reachable(block, meeting == null ? -1 : meeting.number()));
        }
        if (now.equals(parted)) return;
        parted = now;
        changed = true;
    }

    /** Marks what is used after a loop which lanes leave at different times. */
    private void last() {
        for (Flow.Loop loop : flow.loops()) {
            if (!isParted(loop)) continue;
            BitSet within = new BitSet();
            for (Block block : code.blocks())
                if (loop.contains(block)) {
                    for (Value value : block.parameters()) within.set(value.number());
                    for (Value value : block.values()) within.set(value.number());
                }
            for (Block block : code.blocks()) {
                if (loop.contains(block)) continue;
                for (Value value : block.values()) last(value.operands(), within);
                for (Edge edge : block.terminator().edges()) last(edge.arguments(), within);
                if (block.terminator() instanceof Terminator.Branch branch) last(List.of(branch.condition()), within);
            }
        }
    }

    private void last(List<Value> used, BitSet within) {
        for (Value value : used) {
            if (value.number() < 0 || !within.get(value.number()) || lasting.get(value.number())) continue;
            switch (value.operation()) {
                case PARAMETER, QUERY, ITEM_X, ITEM_Y, ITEM_Z -> {
                    // The same in every round.
                }
                default -> {
                    lasting.set(value.number());
                    changed = true;
                    // Conditions are computed where they are used, and for a widened int its uses may take the int.
                    if (value.type() == ValueType.CONDITION || VectorPlan.isWidened(value))
                        last(value.operands(), within);
                }
            }
        }
    }
}

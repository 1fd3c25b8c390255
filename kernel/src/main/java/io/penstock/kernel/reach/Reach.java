package io.penstock.kernel.reach;

import io.penstock.kernel.ir.Block;
import io.penstock.kernel.ir.Edge;
import io.penstock.kernel.ir.KernelCode;
import io.penstock.kernel.ir.Operation;
import io.penstock.kernel.ir.PrivateArray;
import io.penstock.kernel.ir.Query;
import io.penstock.kernel.ir.Terminator;
import io.penstock.kernel.ir.Value;
import io.penstock.kernel.ir.ValueType;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a launch touches, found by running the kernel's code once for all items, on linear forms and intervals.
 *
 * <p>Symbols stand for the item's indices, for the number of times that a loop has gone round, and for values of which only
 * bounds are known. Conditions of branches narrow the bounds of symbols and of sums of symbols on the ways that they guard.
 * Everything else that a launch gives, such as extents and scalars, is a number by then.
 *
 * <p>In a loop, a variable that grows by the same step each time round is its first value plus the step times the loop's
 * symbol, provided that the sum never wraps around. That is assumed and then checked where the loop closes, in the style of an
 * inductive proof; where the check fails, nothing is assumed of the variable and the analysis starts again. Of other variables,
 * such as one that is halved each time round, bounds are guessed and then checked in the same way.
 */
public final class Reach {
    /** The symbols of the item's indices. */
    private static final int X = 0;

    private static final int Y = 1;
    private static final int Z = 2;

    /** Where the symbols of the item's indices within its group, and of the group's own, begin. */
    private static final int LOCAL = 3;

    private static final int GROUP = 6;

    /** More than the largest step times the most lanes. */
    private static final long MARGIN = 1 << 26;

    /** The most rounds of a loop that count as few. */
    private static final long FEW_ROUNDS = 1 << 20;

    /** What bounds each of these symbols. */
    private static final List<Query> SIZES = List.of(
            Query.SIZE_X,
            Query.SIZE_Y,
            Query.SIZE_Z,
            Query.GROUP_SIZE_X,
            Query.GROUP_SIZE_Y,
            Query.GROUP_SIZE_Z,
            Query.GROUPS_X,
            Query.GROUPS_Y,
            Query.GROUPS_Z);

    private record Arrival(Facts facts, List<Value> arguments) {}

    private final KernelCode code;
    private final LaunchSizes sizes;
    /** Loop variables of which nothing is assumed. */
    private final Set<Value> unknown = new HashSet<>();
    /** How many guesses at the bounds of other loop variables were wrong. */
    private final Map<Value, Integer> wrongGuesses = new HashMap<>();
    /** How often each loop goes round at most, as found by an earlier pass. */
    private final Map<Block, Long> rounds = new HashMap<>();

    private Pass pass;

    private Reach(KernelCode code, LaunchSizes sizes) {
        this.code = code;
        this.sizes = sizes;
        this.pass = new Pass();
    }

    /**
     * The reach of every load and store that a launch can come to; of a range without items, nothing is known.
     */
    public static Result of(KernelCode code, LaunchSizes sizes) {
        Reach reach = new Reach(code, sizes);
        // Each pass that fails gives up a guess about a loop variable, of which there are few, or finds a bound of a
        // loop.
        while (!reach.pass.run()) reach.pass = reach.new Pass();
        Pass done = reach.pass;
        return new Result(
                done.accesses,
                done.asks,
                done.asks && done.accesses.stream().allMatch(AccessReach::inside),
                done.narrow,
                reach.brief(),
                done.numbers);
    }

    private BitSet brief() {
        BitSet brief = new BitSet();
        rounds.forEach((header, most) -> {
            if (most <= FEW_ROUNDS) brief.set(header.number());
        });
        return brief;
    }

    /**
     * What a launch touches.
     *
     * @param accesses every load and store that the launch can come to, in the order of the code
     * @param answers whether no question about a view's shape can fail
     * @param inside whether no access can fail, nor any question about a view's shape
     * @param narrow the values of type {@code LONG}, by number, that are within the bounds of 32 bits for all items
     * @param brief the blocks, by number, at which loops begin that go round no more than some million times for any item
     * @param numbers what integers become, of those that the launch can come to
     */
    public record Result(
            List<AccessReach> accesses,
            boolean answers,
            boolean inside,
            BitSet narrow,
            BitSet brief,
            Map<Value, NumberReach> numbers) {
        /** A result; list, sets and map are copied. */
        public Result {
            accesses = List.copyOf(accesses);
            narrow = (BitSet) narrow.clone();
            brief = (BitSet) brief.clone();
            numbers = Map.copyOf(numbers);
        }

        /** The set of blocks; not to be changed. */
        @Override
        public BitSet brief() {
            return brief;
        }

        /** The set of values; not to be changed. */
        @Override
        public BitSet narrow() {
            return narrow;
        }

        /** The accesses, by number, whose indices are known to be inside. */
        public BitSet proved() {
            BitSet proved = new BitSet();
            for (AccessReach access : accesses)
                if (access.inside()) proved.set(access.access().number());
            return proved;
        }
    }

    /** One way through the code, in the order of its blocks. */
    private final class Pass {
        private final List<Interval> base = new ArrayList<>();
        private final Map<Value, Linear> forms = new HashMap<>();
        private final Map<Block, List<Arrival>> arrivals = new HashMap<>();
        private final Map<Block, Integer> loopSymbols = new HashMap<>();
        private final Map<Value, Interval> guesses = new HashMap<>();
        private final List<AccessReach> accesses = new ArrayList<>();
        private final Map<Value, NumberReach> numbers = new HashMap<>();
        /** The headers of loops that may go round again, and how many rounds an item has behind it at most when it does. */
        private final Map<Block, Long> closed = new HashMap<>();

        private final BitSet narrow = new BitSet();
        private boolean asks = true;
        private boolean again;

        /** Whether what was assumed has been confirmed and no bound can still be improved. */
        boolean run() {
            for (Query size : SIZES) base.add(new Interval(0, Objects.requireNonNull(sizes.ask(-1, size)) - 1));
            for (int k = 0; k < LOCAL; k++)
                base.set(LOCAL + k, base.get(LOCAL + k).and(base.get(k)));
            for (Block block : code.blocks()) {
                Facts facts = block.number() == 0 ? new Facts(base) : enter(block);
                if (facts != null) {
                    for (Value value : block.values()) compute(value, facts);
                    leave(block, facts);
                }
                if (!again) bound(block);
                if (again) return false;
            }
            // A loop that never closes runs once.
            for (Block header : loopSymbols.keySet())
                if (!closed.containsKey(header) && rounds.putIfAbsent(header, 0L) == null) again = true;
            return !again;
        }

        /** Bounds the loops that a block is the last to lead back to the beginning of, once all ways back are known. */
        private void bound(Block block) {
            for (Edge edge : block.terminator().edges()) {
                Block header = edge.target();
                if (header.number() > block.number() || Loops.lastBack(code, header) != block) continue;
                Long most = closed.get(header);
                if (most == null || most == Interval.NONE_ABOVE || rounds.containsKey(header)) continue;
                rounds.put(header, most + 1);
                again = true;
            }
        }

        private int fresh(Interval bounds) {
            base.add(bounds);
            return base.size() - 1;
        }

        /** The facts at a block's beginning, where its parameters get their forms; null when no way leads there. */
        private @Nullable Facts enter(Block block) {
            List<Arrival> from = arrivals.get(block);
            if (from == null) return null;
            Facts facts = from.stream().map(Arrival::facts).reduce(Facts::or).orElseThrow();
            boolean loop = Loops.isHeader(code, block);
            if (loop) loopSymbols.put(block, fresh(new Interval(0, rounds.getOrDefault(block, Interval.NONE_ABOVE))));
            for (int k = 0; k < block.parameters().size(); k++) {
                Value parameter = block.parameters().get(k);
                if (!parameter.type().isInteger()) continue;
                Linear form = loop ? loopVariable(block, k, from) : merged(k, from, parameter);
                forms.put(parameter, form);
                // That it never wraps around, as is assumed, bounds how often the loop goes round.
                if (loop) facts = facts.with(form, Interval.ofType(parameter.type()));
                note(parameter, facts);
            }
            return facts;
        }

        private Linear merged(int k, List<Arrival> from, Value parameter) {
            Linear first = form(from.getFirst().arguments().get(k));
            if (from.stream().allMatch(a -> same(form(a.arguments().get(k)), first))) return first;
            return Linear.symbol(fresh(hull(k, from, parameter)));
        }

        private Interval hull(int k, List<Arrival> from, Value parameter) {
            Interval hull = from.stream()
                    .map(a -> a.facts().of(form(a.arguments().get(k))))
                    .reduce(Interval::hull)
                    .orElseThrow();
            return hull.and(Interval.ofType(parameter.type()));
        }

        /** The bounds of a loop variable: first as if it went towards 0, then as if it only grew; of others nothing is known. */
        private Interval guess(int k, List<Arrival> from, Value parameter) {
            int wrong = wrongGuesses.getOrDefault(parameter, 0);
            Interval type = Interval.ofType(parameter.type());
            if (wrong > 1) return type;
            Interval first = hull(k, from, parameter);
            Interval guess = wrong == 0 ? first.hull(Interval.of(0)) : new Interval(first.low(), type.high());
            guesses.put(parameter, guess);
            return guess;
        }

        /** Takes a guess back that the value for the next round leaves. */
        private void checkGuess(Value parameter, Interval next) {
            Interval guess = guesses.get(parameter);
            if (guess == null || next.within(guess.low(), guess.high())) return;
            wrongGuesses.merge(parameter, 1, Integer::sum);
            rounds.clear();
            again = true;
        }

        private Linear loopVariable(Block header, int k, List<Arrival> from) {
            Value parameter = header.parameters().get(k);
            Long step = unknown.contains(parameter) ? null : Loops.step(code, header, k, this::launchConstant);
            if (step == null) return Linear.symbol(fresh(guess(k, from, parameter)));
            try {
                return merged(k, from, parameter)
                        .plus(Linear.symbol(loopSymbol(header)).times(step));
            } catch (ArithmeticException e) {
                return Linear.symbol(fresh(Interval.ofType(parameter.type())));
            }
        }

        private int loopSymbol(Block header) {
            return Objects.requireNonNull(loopSymbols.get(header));
        }

        /** A number that the launch fixes and that a loop's step may be; null for others. */
        private @Nullable Long launchConstant(Value value) {
            return switch (value.operation()) {
                case CONSTANT -> value.attribute(Number.class).longValue();
                case PARAMETER -> sizes.scalar(value.parameter().index());
                case QUERY -> ask(value);
                case CONVERT -> {
                    Long from = value.operand(0).type().isInteger() ? launchConstant(value.operand(0)) : null;
                    yield from == null || Interval.of(from).fits(value.type()) ? from : null;
                }
                default -> null;
            };
        }

        private @Nullable Long ask(Value query) {
            int view = query.operands().isEmpty()
                    ? -1
                    : query.operand(0).parameter().index();
            return sizes.ask(view, query.attribute(Query.class));
        }

        private Linear form(Value value) {
            if (value.operation() == Operation.CONSTANT)
                return Linear.of(value.attribute(Number.class).longValue());
            return Objects.requireNonNull(forms.get(value), () -> value + " has no form");
        }

        private void compute(Value value, Facts facts) {
            if (value.type().isInteger()) {
                forms.put(value, exact(value, facts));
                note(value, facts);
            }
            if (value.operation().isAccess()) accesses.add(reached(value, facts));
        }

        private void note(Value value, Facts facts) {
            Linear form = form(value);
            Interval bounds = facts.of(form);
            if (value.type() == ValueType.LONG && bounds.fits(ValueType.INT)) narrow.set(value.number());
            long perX = 0;
            for (int k = 0; k < form.part().size(); k++)
                if (form.part().symbol(k) == X) perX = form.part().factor(k);
            boolean steady = new Facts(base).of(form).within(Integer.MIN_VALUE + MARGIN, Integer.MAX_VALUE - MARGIN);
            numbers.put(value, new NumberReach(bounds.low(), bounds.high(), perX, steady));
        }

        /** The form of an integer, or a new symbol where it has none. */
        private Linear exact(Value value, Facts facts) {
            Linear form = null;
            try {
                form = linear(value, facts);
            } catch (ArithmeticException e) {
                // The factors leave the longs, which no array's indices do: as good as unknown.
                form = null;
            }
            if (form != null && fits(form, value.type(), facts)) return form;
            return Linear.symbol(fresh(Transfer.of(value, v -> facts.of(form(v)))));
        }

        private static boolean fits(Linear form, ValueType type, Facts facts) {
            // Sums of numbers are computed exactly, or not at all, so that any long is right.
            return (form.isConstant() && type == ValueType.LONG)
                    || facts.of(form).fits(type);
        }

        private @Nullable Linear linear(Value value, Facts facts) {
            return switch (value.operation()) {
                case ITEM_X -> Linear.symbol(X);
                case ITEM_Y -> Linear.symbol(Y);
                case ITEM_Z -> Linear.symbol(Z);
                case LOCAL_X -> Linear.symbol(LOCAL);
                case LOCAL_Y -> Linear.symbol(LOCAL + 1);
                case LOCAL_Z -> Linear.symbol(LOCAL + 2);
                case GROUP_X -> Linear.symbol(GROUP);
                case GROUP_Y -> Linear.symbol(GROUP + 1);
                case GROUP_Z -> Linear.symbol(GROUP + 2);
                case PARAMETER, QUERY -> {
                    Long known = launchConstant(value);
                    asks &= known != null;
                    yield known == null ? null : Linear.of(known);
                }
                case ADD -> form(value.operand(0)).plus(form(value.operand(1)));
                case SUB -> form(value.operand(0)).minus(form(value.operand(1)));
                case NEG -> form(value.operand(0)).times(-1);
                case MUL -> product(form(value.operand(0)), form(value.operand(1)));
                case SHL -> {
                    Linear by = form(value.operand(1));
                    yield by.isConstant() && by.constant() >= 0 && by.constant() < 31
                            ? form(value.operand(0)).times(1L << by.constant())
                            : null;
                }
                case CONVERT -> value.operand(0).type().isInteger() ? form(value.operand(0)) : null;
                case TO_BYTE, TO_SHORT, TO_CHAR, AND, REM, MIN, MAX, ABS -> unchanged(value, facts);
                default -> null;
            };
        }

        private static @Nullable Linear product(Linear a, Linear b) {
            if (b.isConstant()) return a.times(b.constant());
            return a.isConstant() ? b.times(a.constant()) : null;
        }

        /** The form of an operand that the operation leaves as it is, given its bounds. */
        private @Nullable Linear unchanged(Value value, Facts facts) {
            Linear a = form(value.operand(0));
            Interval first = facts.of(a);
            if (value.operands().size() == 1) {
                boolean stays = value.operation() == Operation.ABS
                        ? first.low() >= 0
                        : first.and(Transfer.of(value, v -> first)).equals(first);
                return stays ? a : null;
            }
            Linear b = form(value.operand(1));
            Interval second = facts.of(b);
            return switch (value.operation()) {
                case MIN -> first.high() <= second.low() ? a : second.high() <= first.low() ? b : null;
                case MAX -> first.low() >= second.high() ? a : second.low() >= first.high() ? b : null;
                case REM -> first.low() >= 0 && first.high() < second.low() ? a : null;
                default -> {
                    boolean mask = second.low() == second.high() && (second.low() & (second.low() + 1)) == 0;
                    yield mask && first.within(0, second.low()) ? a : null;
                }
            };
        }

        private AccessReach reached(Value access, Facts facts) {
            List<IndexRange> ranges = new ArrayList<>();
            for (Value index : access.indices()) ranges.add(range(form(index), facts));
            long[] extents = extents(access.array(), ranges.size());
            BitSet fitting = new BitSet();
            if (extents != null)
                for (int k = 0; k < extents.length; k++)
                    fitting.set(k, ranges.get(k).within(extents[k]));
            return new AccessReach(access, ranges, fitting);
        }

        /** The extents that as many indices of an array are checked against; null where they are not known or always fail. */
        private long @Nullable [] extents(Value array, int indices) {
            if (array.operation() == Operation.PARAMETER)
                return sizes.extents(array.parameter().index(), indices);
            if (array.operation() == Operation.PRIVATE_ARRAY)
                return new long[] {array.attribute(PrivateArray.class).length()};
            long[] extents = new long[array.operands().size()];
            long length = 1;
            for (int k = 0; k < extents.length; k++) {
                Linear extent = form(array.operand(k));
                if (!extent.isConstant()) return null;
                extents[k] = extent.constant();
                if (extents[k] < 0 || extents[k] > Integer.MAX_VALUE || length > Integer.MAX_VALUE) return null;
                length *= extents[k];
            }
            return indices == extents.length ? extents : new long[] {length};
        }

        private IndexRange range(Linear index, Facts facts) {
            Interval bounds = facts.of(index);
            boolean regular = index.part().size() == 1 && bounds.fits(ValueType.LONG);
            long step = regular ? Math.abs(index.part().factor(0)) : 1;
            return new IndexRange(bounds.low(), bounds.high(), bounds.low() == bounds.high() ? 1 : step);
        }

        private void leave(Block block, Facts facts) {
            switch (block.terminator()) {
                case Terminator.Return _ -> {
                    // No way leads on.
                }
                case Terminator.Jump(Edge edge) -> arrive(block, edge, facts);
                case Terminator.Branch(Value condition, Edge yes, Edge no) -> {
                    arrive(block, yes, given(condition, true, facts));
                    arrive(block, no, given(condition, false, facts));
                }
            }
        }

        private void arrive(Block from, Edge edge, @Nullable Facts facts) {
            if (facts == null) return;
            Block target = edge.target();
            if (target.number() > from.number()) {
                arrivals.computeIfAbsent(target, b -> new ArrayList<>()).add(new Arrival(facts, edge.arguments()));
                return;
            }
            closed.merge(target, facts.symbol(loopSymbol(target)).high(), Math::max);
            for (int k = 0; k < target.parameters().size(); k++) {
                Value parameter = target.parameters().get(k);
                if (!parameter.type().isInteger()) continue;
                Linear next = form(edge.arguments().get(k));
                checkGuess(parameter, facts.of(next));
                if (unknown.contains(parameter)) continue;
                Long step = Loops.step(code, target, k, this::launchConstant);
                if (step == null) continue;
                if (!follows(next, form(parameter), step)) {
                    unknown.add(parameter);
                    rounds.clear();
                    again = true;
                }
            }
        }

        private static boolean follows(Linear next, Linear before, long step) {
            try {
                return same(next, before.plus(Linear.of(step)));
            } catch (ArithmeticException e) {
                return false; // The step leaves the longs.
            }
        }

        private static boolean same(Linear a, Linear b) {
            return a.equals(b);
        }

        /** The facts with a condition or its opposite; null when they contradict it. */
        private @Nullable Facts given(Value condition, boolean holds, Facts facts) {
            if (!condition.operation().isComparison()
                    || !condition.operand(0).type().isInteger()) return facts;
            Operation relation =
                    holds ? condition.operation() : condition.operation().negated();
            Linear difference;
            try {
                difference = form(condition.operand(0)).minus(form(condition.operand(1)));
            } catch (ArithmeticException e) {
                return facts;
            }
            Interval now = facts.of(difference);
            Interval asked = switch (relation) {
                case EQ -> Interval.of(0);
                case NE ->
                    now.low() == 0
                            ? new Interval(1, Interval.NONE_ABOVE)
                            : now.high() == 0 ? new Interval(Interval.NONE_BELOW, -1) : Interval.ALL;
                case LT -> new Interval(Interval.NONE_BELOW, -1);
                case LE -> new Interval(Interval.NONE_BELOW, 0);
                case GT -> new Interval(1, Interval.NONE_ABOVE);
                default -> new Interval(0, Interval.NONE_ABOVE);
            };
            if (now.and(asked).isEmpty()) return null;
            if (difference.isConstant()) return facts;
            Facts narrowed = facts.with(difference, asked);
            return narrowed.contradict() ? null : narrowed;
        }
    }
}

package io.penstock.kernel.c;

import io.penstock.kernel.ir.Block;
import io.penstock.kernel.ir.Operation;
import io.penstock.kernel.ir.Value;
import io.penstock.kernel.ir.ValueType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What is to be tested before a loop so that nothing fails in it, in any round: indices that grow by the same step each round are
 * inside in all rounds if they are at both ends of the variable's range.
 *
 * <p>All of it is computed on unsigned numbers of 64 bits. That the range is short and the step small makes sure that what is between
 * the ends does not wrap around, neither in 64 bits nor, where that matters, in 32.
 */
final class LoopTest {
    /** The variable's range is shorter than that. */
    private static final String MOST_ROUNDS = "(u64) 1 << 36";

    /** Steps of the variable are at most that. */
    private static final String MOST_STEP = "(u64) 1 << 31";

    /** What an index grows by while the variable grows by one is at most that, either way. */
    private static final String MOST_SLOPE = "((u64) 1 << 26)";

    private static final long MOST_INT = Integer.MAX_VALUE;

    /**
     * A number as a multiple of the loop's variable and something.
     *
     * @param slope how many times the variable, in C; null for what does not depend on it
     * @param rest what is added, in C
     */
    private record Affine(@Nullable String slope, String rest) {
        String at(String end) {
            if (slope == null) return rest;
            String multiple = slope.equals("1") ? end : slope + " * " + end;
            return rest.equals("0") ? multiple : multiple + " + " + rest;
        }
    }

    private final CountedLoop loop;
    private final Variant variant;
    private final Expressions expressions;
    /** Conditions on the variable's range. */
    private final Set<String> range = new LinkedHashSet<>();
    /** Conditions on the first and the last round. */
    private final Set<String> conditions = new LinkedHashSet<>();
    /** What the conditions need that is computed in the loop. */
    private final Set<Value> needed = new HashSet<>();
    /** The accesses that are inside in every thread that has passed the test, whether it has an item or not. */
    private final Set<Value> inside = new HashSet<>();

    /** Whether anything in the loop may fail. */
    private boolean fails;

    private LoopTest(CountedLoop loop, Variant variant, Expressions expressions) {
        this.loop = loop;
        this.variant = variant;
        this.expressions = expressions;
        testRange();
    }

    /**
     * The test for a loop; null where there is nothing to test, or nothing that a test before the loop could tell.
     *
     * @param cooperative whether threads without an item go through it as well
     */
    static @Nullable LoopTest of(CountedLoop loop, Variant variant, Expressions expressions, boolean cooperative) {
        LoopTest test = new LoopTest(loop, variant, expressions);
        for (Block block : loop.blocks())
            for (Value value : block.values()) if (!test.add(value, block, cooperative)) return null;
        return test.fails ? test : null;
    }

    boolean isInside(Value access) {
        return inside.contains(access);
    }

    /** What must be computed before. */
    List<Value> needed() {
        return loop.blocks().stream()
                .flatMap(block -> block.values().stream())
                .filter(needed::contains)
                .toList();
    }

    /** The test: statements that lead to a label where nothing fails in the loop. */
    List<String> text(String label) {
        List<String> lines = new ArrayList<>(List.of("{"));
        lines.addAll(ends());
        lines.add("if (" + joined(range) + ") {");
        String from = "least";
        String to = "most";
        boolean constant = loop.step().isInteger();
        if (!(constant && Math.abs(loop.step().integer()) == 1) && (constant || loop.narrow())) {
            lines.add("const u64 past = "
                    + (loop.narrow() ? "(u32) (most - least) % (u32) step;" : "(most - least) % step;"));
            if (loop.isUpwards()) to = "most - past";
            else from = "least + past";
        }
        lines.add("const u64 from = " + from + ", to = " + to + ";");
        lines.add("if (" + joined(conditions) + ") goto " + label + ";");
        lines.addAll(List.of("}", "}"));
        return lines;
    }

    private static String joined(Set<String> conditions) {
        return conditions.stream().map(one -> "(" + one + ")").collect(Collectors.joining(" & "));
    }

    private List<String> ends() {
        String variable = "(u64) " + Expressions.use(loop.variable());
        boolean strict = loop.stays() == Operation.LT || loop.stays() == Operation.GT;
        long beyond = -loop.distance() + (strict ? loop.isUpwards() ? -1 : 1 : 0);
        String limit = "(u64) " + use(loop.limit()) + (beyond == 0 ? "" : " + (u64) (i64) " + number(beyond));
        String step = "(u64) " + use(loop.step());
        return List.of(
                "const u64 least = " + (loop.isUpwards() ? variable : limit) + ";",
                "const u64 most = " + (loop.isUpwards() ? limit : variable) + ";",
                "const u64 step = " + (loop.adds() == loop.isUpwards() ? step : "(u64) 0 - " + step) + ";");
    }

    private static String number(long number) {
        return "(" + number + ")";
    }

    private String use(Value value) {
        need(value);
        return Expressions.use(value);
    }

    private void need(Value value) {
        if (loop.invariants().contains(value) && needed.add(value))
            value.operands().forEach(this::need);
    }

    /** That the variable does not wrap around on its way from end to end and one step further. */
    private void testRange() {
        use(loop.limit());
        use(loop.step());
        range.add("(i64) least <= (i64) most");
        range.add("most - least < " + MOST_ROUNDS);
        range.add("step - 1 < " + MOST_STEP);
        String further = loop.distance() == 0 ? "" : " + " + Math.abs(loop.distance());
        if (loop.narrow()) {
            range.add("(i64) (most + step" + further + ") <= " + MOST_INT);
            range.add("(i64) (least - step" + further.replace('+', '-') + ") >= -" + MOST_INT + " - 1");
        } else {
            range.add("most + ((u64) 1 << 62) < (u64) 1 << 63");
        }
    }

    /** Adds what a value needs to be well; false where that cannot be told. */
    private boolean add(Value value, Block block, boolean cooperative) {
        if (Expressions.mayDivideByZero(value)) {
            if (!loop.isInvariant(value.operand(1))) return false;
            conditions.add(use(value.operand(1)) + " != 0");
            fails = true;
            return true;
        }
        if (!value.operation().isAccess()) return true;
        List<Check> failing = expressions.outside(value, true);
        fails |= !failing.isEmpty();
        if (cooperative && addAll(expressions.outside(value, false), block)) {
            inside.add(value);
            return true;
        }
        return addAll(failing, block);
    }

    private boolean addAll(List<Check> checks, Block block) {
        List<Runnable> additions = new ArrayList<>();
        for (Check check : checks) {
            if (check instanceof Check.Outside outside) {
                Affine index = affine(outside.index());
                // What the header does is done once more, beyond the range.
                if (index == null || (index.slope() != null && block == loop.header())) return false;
                if (!isKnown(outside)) return false;
                additions.add(() -> {
                    needAll(outside.index(), outside.unsigned().equals("(u32) "));
                    outside.sizes().forEach(this::need);
                    within(index, "", "(u64) " + outside.extent());
                });
            } else {
                additions.add(() -> conditions.add("!(" + check.text() + ")"));
            }
        }
        additions.forEach(Runnable::run);
        return true;
    }

    private boolean isKnown(Check.Outside outside) {
        return outside.sizes().stream().allMatch(loop::isInvariant);
    }

    /**
     * Has what a number is computed from computed, and tests what of that must fit 32 bits.
     *
     * @param fitting whether the number itself is known to, if it is inside
     */
    private void needAll(Value value, boolean fitting) {
        if (loop.isInvariant(value)) {
            need(value);
            return;
        }
        if (value == loop.variable()) return;
        boolean widened = CountedLoop.isWidened(value);
        value.operands().forEach(operand -> needAll(operand, false));
        if (fitting) return;
        Value fits = widened ? value.operand(0) : value;
        boolean held = widened || (value.type() == ValueType.LONG && variant.isNarrow(value));
        Affine number = held && fits != loop.variable() ? affine(fits) : null;
        if (number != null) within(number, " + " + (MOST_INT + 1) + "u", "(u64) 1 << 32");
    }

    private void within(Affine number, String shift, String extent) {
        if (number.slope() != null && !number.slope().equals("1"))
            conditions.add(number.slope() + " + " + MOST_SLOPE + " <= 2 * " + MOST_SLOPE);
        conditions.add(number.at("from") + shift + " < " + extent);
        if (number.slope() != null) conditions.add(number.at("to") + shift + " < " + extent);
    }

    /** A number by the loop's variable; null where it is not of this form. */
    private @Nullable Affine affine(Value value) {
        if (loop.isInvariant(value)) return new Affine(null, "(u64) " + Expressions.use(value));
        if (value == loop.variable()) return new Affine("1", "0");
        if (CountedLoop.isWidened(value)) return affine(value.operand(0));
        return switch (value.operation()) {
            case ADD -> sum(affine(value.operand(0)), affine(value.operand(1)), " + ");
            case SUB -> sum(affine(value.operand(0)), affine(value.operand(1)), " - ");
            case MUL -> product(affine(value.operand(0)), affine(value.operand(1)));
            default -> null;
        };
    }

    private static @Nullable Affine sum(@Nullable Affine a, @Nullable Affine b, String sign) {
        if (a == null || b == null) return null;
        String rest = "(" + a.rest() + sign + b.rest() + ")";
        if (b.rest().equals("0")) rest = a.rest();
        else if (a.rest().equals("0") && sign.equals(" + ")) rest = b.rest();
        if (b.slope() == null) return new Affine(a.slope(), rest);
        if (a.slope() == null) return new Affine(sign.equals(" + ") ? b.slope() : "(0 - " + b.slope() + ")", rest);
        return new Affine("(" + a.slope() + sign + b.slope() + ")", rest);
    }

    private static @Nullable Affine product(@Nullable Affine a, @Nullable Affine b) {
        if (a == null || b == null) return null;
        if (a.slope() != null && b.slope() != null) return null;
        Affine grows = a.slope() == null ? b : a;
        String by = (a.slope() == null ? a : b).rest();
        if (grows.slope() == null) return null;
        return new Affine(
                grows.slope().equals("1") ? "(" + by + ")" : "(" + grows.slope() + " * " + by + ")",
                grows.rest().equals("0") ? "0" : "(" + grows.rest() + " * " + by + ")");
    }
}

package io.penstock.kernel.c;

import io.penstock.kernel.ir.Block;
import io.penstock.kernel.ir.Edge;
import io.penstock.kernel.ir.Element;
import io.penstock.kernel.ir.KernelCode;
import io.penstock.kernel.ir.LocalArray;
import io.penstock.kernel.ir.Operation;
import io.penstock.kernel.ir.Position;
import io.penstock.kernel.ir.PrivateArray;
import io.penstock.kernel.ir.Terminator;
import io.penstock.kernel.ir.Value;
import io.penstock.kernel.ir.ValueType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Writes what one item does: its blocks as labels and jumps, in which values are variables. */
final class ItemWriter {
    /** What becomes of that which may fail. */
    enum Mode {
        /** It is checked before it is done; what fails is recorded. */
        CHECKED,
        /** It is checked only: the function stores nothing and tells whether all is well. Not for kernels with barriers. */
        FORESEEN,
        /** It is known to be well. */
        TRUSTED
    }

    private final KernelCode code;
    private final Expressions expressions;
    private final Mode mode;
    private final List<FailureSite> sites;
    /** How threads stay together; null for a kernel without barriers. */
    private final @Nullable Cooperation cooperation;

    private final StringBuilder text = new StringBuilder();
    /** The place in the source of the last value that was written. */
    private @Nullable Position shown;
    /** The branches one of whose ways is a failure, at which a thread of a kernel with barriers goes on inactive. */
    private int resumptions;

    ItemWriter(Dialect dialect, KernelCode code, Variant variant, Mode mode, List<FailureSite> sites) {
        this.code = code;
        this.mode = mode;
        this.expressions = new Expressions(dialect, code, variant);
        this.sites = sites;
        this.cooperation = code.uses(Operation.BARRIER) ? new Cooperation(code) : null;
    }

    /** The function's body. */
    String write() {
        declare();
        for (Block block : code.blocks()) write(block);
        if (resumptions > 0) {
            line("resume:;");
            for (int k = 1; k <= resumptions; k++) line("if (resume == " + k + ") goto resume" + k + ";");
            line("return;");
        }
        return text.toString();
    }

    private void line(String line) {
        text.append("    ").append(line).append('\n');
    }

    /** All variables stand at the beginning, so that no jump passes a declaration. */
    private void declare() {
        Map<String, List<String>> names = new LinkedHashMap<>();
        for (Block block : code.blocks()) {
            for (Value value : block.parameters()) {
                List<String> ofType = names.computeIfAbsent(expressions.type(value), t -> new ArrayList<>());
                ofType.add(Expressions.use(value));
                ofType.add("next" + value.number());
            }
            for (Value value : block.values())
                if (value.operation() != Operation.PARAMETER
                        && (value.type().isNumber() || value.type() == ValueType.CONDITION))
                    names.computeIfAbsent(expressions.type(value), t -> new ArrayList<>())
                            .add(Expressions.use(value));
        }
        String zero = cooperation == null ? "" : " = 0";
        names.forEach((type, all) -> line(type + " " + String.join(zero + ", ", all) + zero + ";"));
        if (cooperation != null) line("i32 resume = 0;");
        int shared = 0;
        for (Block block : code.blocks())
            for (Value value : block.values()) {
                if (value.operation() == Operation.LOCAL_ARRAY) declareShared(value, shared++);
                if (value.operation() == Operation.PRIVATE_ARRAY) {
                    PrivateArray array = value.attribute(PrivateArray.class);
                    line(Expressions.memory(array.element()) + " " + Expressions.use(value) + "["
                            + Math.max(1, array.length()) + "];");
                }
            }
    }

    private void declareShared(Value array, int position) {
        String type =
                "LOCAL " + Expressions.memory(array.attribute(LocalArray.class).element()) + " *";
        String offset = SharedLayout.isFixed(code)
                ? "" + SharedLayout.fixed(code).offsets().get(position)
                : "layout.at[" + position + "]";
        line(type + Expressions.use(array) + " = (" + type + ") (memory + " + offset + ");");
    }

    private void write(Block block) {
        if (block.number() > 0) text.append("b").append(block.number()).append(":;\n");
        shown = null;
        for (Stretch stretch : Stretch.of(block.values(), this::failing)) {
            if (cooperation == null && mode != Mode.TRUSTED && stretch.guarded() > 1) {
                writeTogether(stretch, block);
                continue;
            }
            for (Value value : stretch.values()) {
                if (value.operation() == Operation.FAIL) {
                    show(value);
                    fail(value);
                    return;
                }
                write(value, block, failing(value));
            }
        }
        switch (block.terminator()) {
            case Terminator.Return _ -> line(mode == Mode.FORESEEN ? "return 1;" : "return;");
            case Terminator.Jump(Edge edge) -> line(go(edge));
            case Terminator.Branch branch -> branch(branch, block);
        }
    }

    /** Tests all that may fail first; only where something does is it done one by one, to find out what is the first. */
    private void writeTogether(Stretch stretch, Block block) {
        for (Value value : stretch.early()) write(value, block, List.of());
        String fails = stretch.tests().stream().map(test -> "(" + test + ")").collect(Collectors.joining(" | "));
        List<Value> others = stretch.values().stream()
                .filter(value -> !stretch.early().contains(value))
                .toList();
        if (mode == Mode.CHECKED) {
            line("if (" + fails + ") {");
            for (Value value : others) write(value, block, failing(value));
            line("return; }");
        } else {
            line("if (" + fails + ") return 0;");
        }
        for (Value value : others) write(value, block, List.of());
    }

    /** Says which line of the source a value is of, where it is another than the last one. */
    private void show(Value value) {
        Position here = value.position();
        if (here != null
                && (shown == null || here.line() != shown.line() || !here.file().equals(shown.file())))
            line("// " + here.file() + ":" + here.line());
        shown = here;
    }

    /** Conditions of which one holds where a value fails; none where it cannot. */
    private List<String> failing(Value value) {
        if (value.operation().isAccess()) return expressions.outside(value);
        return Expressions.mayDivideByZero(value) ? List.of(Expressions.use(value.operand(1)) + " == 0") : List.of();
    }

    private void branch(Terminator.Branch branch, Block block) {
        String condition = Expressions.use(branch.condition());
        if (cooperation != null && !cooperation.isDoomed(block)) {
            boolean yes = cooperation.isDoomed(branch.yes().target());
            if (yes || cooperation.isDoomed(branch.no().target())) {
                int k = ++resumptions;
                String failing = yes ? condition : "!" + condition;
                line("if (active && " + failing + ") { resume = " + k + "; " + go(yes ? branch.yes() : branch.no())
                        + " }");
                line("resume" + k + ":;");
                line(
                        cooperation.isTogether(block)
                                ? go(yes ? branch.no() : branch.yes())
                                : leaveOr(block, yes ? branch.no() : branch.yes()));
                return;
            }
            if (cooperation.parts(block)) line("if (!active) " + leave(block));
        }
        line("if (" + condition + ") " + go(branch.yes()));
        line("else " + go(branch.no()));
    }

    private String leaveOr(Block block, Edge edge) {
        return "if (!active) " + leave(block) + " " + go(edge);
    }

    /** Goes where inactive threads go from a block where items are apart, or from its end where they part. */
    private String leave(Block block) {
        Block meeting = Objects.requireNonNull(cooperation).meeting(block);
        return meeting == null ? "return;" : "goto b" + meeting.number() + ";";
    }

    private void fail(Value value) {
        if (mode != Mode.CHECKED) {
            line(mode == Mode.FORESEEN ? "return 0;" : "return;");
            return;
        }
        String record = record(value, value.operands());
        if (cooperation == null
                || (resumptions == 0 && cooperation.isDoomed(code.blocks().getFirst()))) {
            line(record + " return;");
            return;
        }
        line("if (active) { " + record + " active = 0; } goto resume;");
    }

    /** What records a failure. */
    private String record(Value value, List<Value> numbers) {
        int site = sites.size();
        sites.add(new FailureSite(value));
        String index = IntStream.range(0, 3)
                .mapToObj(k -> k < numbers.size() ? Expressions.bits(numbers.get(k)) : "0")
                .collect(Collectors.joining(", "));
        return "fail(failure, launch, " + site + ", x, y, z, " + index + ");";
    }

    /**
     * Writes a value.
     *
     * @param failing what is to be tested before
     */
    private void write(Value value, Block block, List<String> failing) {
        if (value.operation() == Operation.PARAMETER || value.operation() == Operation.LOCAL_ARRAY) return;
        show(value);
        String fails = String.join(" || ", failing);
        switch (value.operation()) {
            case BARRIER -> line("BARRIER;");
            case PRIVATE_ARRAY -> {
                int length = value.attribute(PrivateArray.class).length();
                line("for (i32 k = 0; k < " + length + "; k++) " + Expressions.use(value) + "[k] = 0;");
            }
            case LOAD, STORE, ATOMIC -> guarded(value, block, fails, value.indices(), effect(value));
            default -> {
                String compute = Expressions.use(value) + " = " + expressions.compute(value) + ";";
                if (Expressions.mayDivideByZero(value)) guarded(value, block, fails, List.of(), compute);
                else line(compute);
            }
        }
    }

    private String effect(Value access) {
        return switch (access.operation()) {
            case LOAD -> Expressions.use(access) + " = " + expressions.place(access) + ";";
            case STORE -> {
                Element element = Objects.requireNonNull(access.array().element());
                yield expressions.place(access) + " = (" + Expressions.memory(element) + ") "
                        + Expressions.use(access.operands().getLast()) + ";";
            }
            default -> Expressions.use(access) + " = " + expressions.change(access) + ";";
        };
    }

    /** An effect that happens unless it fails; a thread that fails is done, or inactive from then on. */
    private void guarded(Value value, Block block, String failing, List<Value> numbers, String effect) {
        if (mode != Mode.CHECKED) {
            if (mode == Mode.FORESEEN && !failing.isEmpty()) line("if (" + failing + ") return 0;");
            if (mode == Mode.TRUSTED || value.operation() != Operation.STORE) line(effect);
            return;
        }
        if (cooperation == null) {
            if (!failing.isEmpty()) line("if (" + failing + ") { " + record(value, numbers) + " return; }");
            line(effect);
            return;
        }
        // Quotients and what is loaded from one place may decide where the group goes.
        boolean common = !value.operation().isAccess() || cooperation.isCommon(value, block);
        String does = common ? effect : "if (active) { " + effect + " }";
        if (failing.isEmpty()) {
            line(does);
            return;
        }
        String stop =
                cooperation.isDoomed(block) ? " goto resume;" : cooperation.isTogether(block) ? "" : " " + leave(block);
        line("if (" + failing + ") { if (active) { " + record(value, numbers) + " active = 0; }" + stop + " }");
        line("else " + does);
    }

    /** Sets the target's parameters all at once, then jumps. */
    private static String go(Edge edge) {
        StringBuilder go = new StringBuilder("{ ");
        List<Value> parameters = edge.target().parameters();
        for (int k = 0; k < parameters.size(); k++)
            go.append("next")
                    .append(parameters.get(k).number())
                    .append(" = ")
                    .append(Expressions.use(edge.arguments().get(k)))
                    .append("; ");
        for (Value parameter : parameters)
            go.append(Expressions.use(parameter))
                    .append(" = next")
                    .append(parameter.number())
                    .append("; ");
        return go.append("goto b").append(edge.target().number()).append("; }").toString();
    }
}

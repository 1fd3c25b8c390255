package io.penstock.kernel.c;

import io.penstock.kernel.c.SureLoops.SureLoop;
import io.penstock.kernel.ir.Block;
import io.penstock.kernel.ir.Edge;
import io.penstock.kernel.ir.Element;
import io.penstock.kernel.ir.KernelCode;
import io.penstock.kernel.ir.Operation;
import io.penstock.kernel.ir.Position;
import io.penstock.kernel.ir.PrivateArray;
import io.penstock.kernel.ir.Terminator;
import io.penstock.kernel.ir.Value;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
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

    private final SureLoops loops;
    private final Jumps jumps;
    private final StringBuilder text = new StringBuilder();
    /** The place in the source of the last value that was written. */
    private @Nullable Position shown;
    /** The blocks, by number, that are written as part of the one before. */
    private final BitSet joined = new BitSet();

    ItemWriter(Dialect dialect, KernelCode code, Variant variant, Mode mode, List<FailureSite> sites) {
        this.code = code;
        this.mode = mode;
        this.sites = sites;
        this.cooperation = code.uses(Operation.BARRIER) ? new Cooperation(code, variant) : null;
        List<CountedLoop> counted = mode == Mode.CHECKED ? CountedLoop.all(code, variant) : List.of();
        Set<Value> early = new HashSet<>();
        for (CountedLoop loop : counted) early.addAll(loop.invariants());
        for (Block block : code.blocks()) {
            Foresight rest = mode == Mode.FORESEEN ? Foresight.of(code, block) : null;
            if (rest != null) for (Block further : rest.further()) early.addAll(further.values());
        }
        this.expressions = new Expressions(dialect, code, variant, new Exactness(code, variant, cooperation, early));
        Excursions excursions = cooperation == null ? null : new Excursions(code, cooperation);
        this.loops = SureLoops.of(counted, variant, expressions, cooperation, excursions);
        this.jumps = new Jumps(code, cooperation, excursions, loops);
    }

    /** The function's body. */
    String write() {
        int before = sites.size();
        for (Block block : code.blocks()) jumps.write(block, this::write);
        jumps.writeRest(this::write, this::line);
        boolean notes = cooperation != null && sites.size() > before;
        if (cooperation != null) {
            line("done:;");
            if (notes)
                line("if (item && !active) fail(failure, launch, (i32) note[0], x, y, z, note[1], note[2], note[3]);");
            line("return;");
        }
        String body = text.toString();
        text.setLength(0);
        Variables.of(code, expressions, cooperation != null).forEach(this::line);
        if (notes) {
            line("const i32 item = active;");
            line("i64 note[4] = {0, 0, 0, 0};");
        }
        return text.append(body).toString();
    }

    private void line(String line) {
        text.append("    ").append(line).append('\n');
    }

    private void write(Block block) {
        if (joined.get(block.number())) return;
        SureLoop loop = loops.at(block);
        if (loop != null && jumps.sure() == null) enter(loop);
        if (block.number() > 0) text.append(jumps.label(block)).append(":;\n");
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
            case Terminator.Return _ -> line(mode == Mode.FORESEEN ? "return 1;" : jumps.end(block));
            case Terminator.Jump(Edge edge) -> line(jumps.go(block, edge));
            case Terminator.Branch branch -> branch(branch, block);
        }
    }

    /** Tells at a loop's beginning which of its copies a thread goes through. */
    private void enter(SureLoop loop) {
        Block header = loop.loop().header();
        text.append(jumps.entry(header)).append(":;\n");
        for (Value value : loop.test().needed()) write(value, header, List.of());
        loop.test().text(jumps.sureEntry(header)).forEach(this::line);
    }

    /** Tests all that may fail first; only where something does is it done one by one, to find out what is the first. */
    private void writeTogether(Stretch stretch, Block block) {
        for (Value value : stretch.early()) write(value, block, List.of());
        String fails = joined(Check.fewest(stretch.checks()));
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
    private List<Check> failing(Value value) {
        if (jumps.sure() != null) return List.of();
        if (value.operation().isAccess()) return expressions.outside(value, true);
        return Expressions.mayDivideByZero(value)
                ? List.of(new Check.Condition(Expressions.use(value.operand(1)) + " == 0"))
                : List.of();
    }

    private static String joined(List<Check> checks) {
        return checks.stream().map(check -> "(" + check.text() + ")").collect(Collectors.joining(" | "));
    }

    private void branch(Terminator.Branch branch, Block block) {
        String condition = Expressions.use(branch.condition());
        if (cooperation != null && !cooperation.isDoomed(block)) {
            boolean yes = cooperation.isDoomed(branch.yes().target());
            if (yes || cooperation.isDoomed(branch.no().target())) {
                String failing = yes ? condition : "!" + condition;
                Edge on = yes ? branch.no() : branch.yes();
                jumps.toDoom(
                                block,
                                yes ? branch.yes() : branch.no(),
                                failing,
                                cooperation.isCommon(branch.condition(), block))
                        .forEach(this::line);
                String leave = cooperation.isTogether(block) ? "" : "if (!active) " + jumps.leave(block) + " ";
                line(leave + jumps.go(block, on));
                return;
            }
            if (cooperation.parts(block)) line("if (!active) " + jumps.leave(block));
        }
        GuardChain chain = cooperation == null ? GuardChain.of(code, block) : null;
        if (mode == Mode.FORESEEN && foresee(block)) return;
        if (chain == null) {
            line("if (" + condition + ") " + jumps.go(block, branch.yes()));
            line("else " + jumps.go(block, branch.no()));
            return;
        }
        for (Block next : chain.further()) {
            for (Value value : next.values()) write(value, next, List.of());
            joined.set(next.number());
        }
        line("if (" + chain.condition() + ") " + jumps.go(block, chain.out()));
        line("else " + jumps.go(block, chain.on()));
    }

    /** Tells without a branch whether the rest fails, where that is of a kind that can be; false where it is not. */
    private boolean foresee(Block block) {
        Foresight rest = Foresight.of(code, block);
        if (rest == null) return false;
        List<Stretch> stretches = Stretch.of(rest.last().values(), this::failing);
        if (stretches.size() > 1 || stretches.getFirst().checks().isEmpty()) return false;
        for (Block next : rest.chain().further()) for (Value value : next.values()) write(value, next, List.of());
        for (Value value : stretches.getFirst().early()) write(value, rest.last(), List.of());
        for (Block next : rest.further()) joined.set(next.number());
        String fails = joined(Check.fewest(stretches.getFirst().checks()));
        line("return " + rest.chain().condition() + " | !(" + fails + ");");
        return true;
    }

    private void fail(Value value) {
        if (mode != Mode.CHECKED) {
            line(mode == Mode.FORESEEN ? "return 0;" : "return;");
            return;
        }
        String record = record(value, value.operands());
        line(
                cooperation == null
                        ? record + " return;"
                        : "if (active) { " + record + " active = 0; } " + jumps.resume());
    }

    /**
     * What records a failure. Where threads stay together, one that fails makes a note and goes on inactive: the record is
     * written at the end, since a branch and an atomic operation here would keep the loads behind from being under way with
     * those before.
     */
    private String record(Value value, List<Value> numbers) {
        int site = sites.size();
        sites.add(new FailureSite(value));
        if (cooperation != null) {
            StringBuilder note = new StringBuilder("note[0] = " + site + ";");
            for (int k = 0; k < numbers.size(); k++)
                note.append(" note[")
                        .append(k + 1)
                        .append("] = ")
                        .append(Expressions.bits(numbers.get(k)))
                        .append(';');
            return note.toString();
        }
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
    private void write(Value value, Block block, List<Check> failing) {
        if (value.operation() == Operation.PARAMETER || value.operation() == Operation.LOCAL_ARRAY) return;
        show(value);
        String fails = texts(failing);
        switch (value.operation()) {
            case BARRIER -> line("BARRIER;");
            case PRIVATE_ARRAY -> {
                int length = value.attribute(PrivateArray.class).length();
                line("for (i32 k = 0; k < " + length + "; k++) " + Expressions.use(value) + "[k] = 0;");
            }
            case LOAD, STORE, ATOMIC -> guarded(value, block, fails, value.indices());
            default -> {
                if (Expressions.mayDivideByZero(value)) guarded(value, block, fails, List.of());
                else line(Expressions.use(value) + " = " + expressions.compute(value) + ";");
            }
        }
    }

    /** What an effect gives, or does. */
    private String effect(Value value) {
        return switch (value.operation()) {
            case LOAD -> expressions.place(value);
            case STORE -> {
                Element element = Objects.requireNonNull(value.array().element());
                yield expressions.place(value) + " = (" + Expressions.memory(element) + ") "
                        + Expressions.use(value.operands().getLast()) + ";";
            }
            case ATOMIC -> Expressions.use(value) + " = " + expressions.change(value) + ";";
            default -> expressions.compute(value);
        };
    }

    private static boolean changesMemory(Value value) {
        return value.operation() == Operation.STORE || value.operation() == Operation.ATOMIC;
    }

    private String statement(Value value) {
        return changesMemory(value) ? effect(value) : Expressions.use(value) + " = " + effect(value) + ";";
    }

    /** An effect that happens unless it fails; a thread that fails is done, or inactive from then on. */
    private void guarded(Value value, Block block, String failing, List<Value> numbers) {
        if (mode != Mode.CHECKED) {
            if (mode == Mode.FORESEEN && !failing.isEmpty()) line("if (" + failing + ") return 0;");
            if (mode == Mode.TRUSTED || value.operation() != Operation.STORE) line(statement(value));
            return;
        }
        SureLoop sure = jumps.sure();
        if (cooperation != null && sure != null && isSure(value, sure)) {
            line(changesMemory(value) ? "if (active) { " + effect(value) + " }" : statement(value));
            return;
        }
        if (cooperation != null) {
            together(cooperation, value, block, failing, numbers);
            return;
        }
        if (!failing.isEmpty()) line("if (" + failing + ") { " + record(value, numbers) + " return; }");
        line(statement(value));
    }

    /** Whether the test before a loop tells that this is well in every thread, be it active or not. */
    private static boolean isSure(Value value, SureLoop loop) {
        return !value.operation().isAccess() || loop.test().isInside(value);
    }

    /**
     * The same where threads stay together. Whoever fails to load has a zero from there on, which memory might have held: what is
     * known of an index for all that memory may hold is so of inactive threads, too.
     */
    private void together(Cooperation cooperation, Value value, Block block, String failing, List<Value> numbers) {
        if (!failing.isEmpty() && cooperation.isDoomed(block)) {
            line("if (" + failing + ") { if (active) { " + record(value, numbers) + " active = 0; } " + jumps.resume()
                    + " }");
            line("if (active) { " + statement(value) + " }");
            return;
        }
        if (!failing.isEmpty() && cooperation.endsGroup(value, block)) {
            line("if (" + failing + ") { if (active) { " + record(value, numbers) + " active = 0; } goto done; }");
            failing = "";
        }
        if (!changesMemory(value)) {
            // Quotients and what is loaded from one place may decide where the group goes.
            boolean common = !value.operation().isAccess()
                    || cooperation.isCommon(value, block)
                    || cooperation.isSafeForAll(value, block);
            String outside = common ? outsideOfInactive(cooperation, value, block, failing) : failing;
            String fine = !outside.isEmpty() ? "!(" + outside + ") ? " : common ? "" : "active ? ";
            line(Expressions.use(value) + " = " + fine + effect(value) + (fine.isEmpty() ? ";" : " : 0;"));
        }
        if (!failing.isEmpty()) {
            String leave = cooperation.isForAll(block) ? "" : " " + jumps.leave(block);
            line("if (active && (" + failing + ")) { " + record(value, numbers) + " active = 0;" + leave + " }");
        }
        if (changesMemory(value)) line("if (active) { " + effect(value) + " }");
    }

    /** Where an access is outside in any thread; what is proved for items says nothing of inactive threads beyond a failure. */
    private String outsideOfInactive(Cooperation cooperation, Value value, Block block, String failing) {
        return value.operation().isAccess() && cooperation.isBeyond(block)
                ? texts(expressions.outside(value, false))
                : failing;
    }

    private static String texts(List<Check> checks) {
        return checks.stream().map(Check::text).collect(Collectors.joining(" || "));
    }
}

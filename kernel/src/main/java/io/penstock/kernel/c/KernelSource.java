package io.penstock.kernel.c;

import io.penstock.kernel.ir.Block;
import io.penstock.kernel.ir.Edge;
import io.penstock.kernel.ir.Element;
import io.penstock.kernel.ir.KernelCode;
import io.penstock.kernel.ir.Operation;
import io.penstock.kernel.ir.Parameter;
import io.penstock.kernel.ir.Position;
import io.penstock.kernel.ir.Terminator;
import io.penstock.kernel.ir.Value;
import io.penstock.kernel.ir.ValueType;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * A kernel as a program of CUDA C++ or OpenCL C.
 *
 * <p>The entry takes the range's sizes, a failure record of zeros, and the launch's values: of a view, where its element of
 * index 0 in every dimension lies, and its shape; see the types at the beginning of the text. Any number of threads does any
 * number of items. The first item that fails writes the record; others that fail end without a word, and all others go on.
 *
 * <p>Integers wrap around, shifts take their distance modulo the width, casts saturate, and products are not contracted with
 * sums, as in Java. NaNs may have other bits. {@code Math}'s functions are the device's own, within its stated error.
 */
public final class KernelSource {
    private final Dialect dialect;
    private final KernelCode code;
    private final boolean checked;
    private final List<FailureSite> sites = new ArrayList<>();
    private final StringBuilder text = new StringBuilder();

    private KernelSource(Dialect dialect, KernelCode code, boolean checked) {
        this.dialect = dialect;
        this.code = code;
        this.checked = checked;
        write();
    }

    /**
     * Writes a kernel out.
     *
     * @param checked whether every index is checked; otherwise the launch must have proved that all are inside
     */
    public static KernelSource of(Dialect dialect, KernelCode code, boolean checked) {
        return new KernelSource(dialect, code, checked);
    }

    /** The program. */
    public String text() {
        return text.toString();
    }

    /** The name of the function to launch. */
    public String entry() {
        return code.name().replaceAll("[^A-Za-z0-9_]", "_");
    }

    /** Where items can fail, by the numbers in failure records. */
    public List<FailureSite> sites() {
        return List.copyOf(sites);
    }

    private void write() {
        text.append("// ").append(code.name()).append('\n');
        text.append(dialect.prelude()).append(Prelude.TEXT);
        text.append("INLINE void item(")
                .append(parameters("i64 x, i64 y, i64 z"))
                .append(") {\n");
        declare();
        for (Block block : code.blocks()) write(block);
        text.append("}\n\n").append(dialect.entry()).append(' ').append(entry()).append('(');
        text.append(parameters("")).append(") {\n").append(dialect.loops());
        text.append("        item(x, y, z, sizes, failure");
        for (Parameter parameter : code.parameters()) {
            String name = Expressions.name(parameter);
            text.append(", ").append(name);
            if (parameter.isView()) text.append(", ").append(name).append("_shape");
        }
        text.append(");\n}\n");
    }

    private String parameters(String first) {
        List<String> all = new ArrayList<>();
        if (!first.isEmpty()) all.add(first);
        all.add("const Sizes sizes");
        all.add("GLOBAL Failure *failure");
        for (Parameter parameter : code.parameters()) {
            String name = Expressions.name(parameter);
            Element element = parameter.element();
            if (element == null) {
                all.add("const " + Expressions.type(parameter.type()) + " " + name);
            } else {
                all.add("GLOBAL " + Expressions.memory(element) + " *" + name);
                all.add("const Shape " + name + "_shape");
            }
        }
        return String.join(", ", all);
    }

    /** All variables stand at the beginning, so that no jump passes a declaration. */
    private void declare() {
        for (ValueType type :
                List.of(ValueType.INT, ValueType.LONG, ValueType.FLOAT, ValueType.DOUBLE, ValueType.CONDITION)) {
            List<String> names = new ArrayList<>();
            for (Block block : code.blocks()) {
                for (Value value : block.parameters()) {
                    if (value.type() != type) continue;
                    names.add(Expressions.use(value));
                    names.add("next" + value.number());
                }
                for (Value value : block.values())
                    if (value.type() == type && value.operation() != Operation.PARAMETER)
                        names.add(Expressions.use(value));
            }
            if (names.isEmpty()) continue;
            text.append("    ").append(Expressions.type(type)).append(' ');
            text.append(String.join(", ", names)).append(";\n");
        }
    }

    private void write(Block block) {
        if (block.number() > 0) text.append("b").append(block.number()).append(":;\n");
        Position last = null;
        for (Value value : block.values()) {
            if (value.operation() == Operation.PARAMETER) continue;
            Position here = value.position();
            if (here != null
                    && (last == null
                            || here.line() != last.line()
                            || !here.file().equals(last.file())))
                text.append("    // ")
                        .append(here.file())
                        .append(':')
                        .append(here.line())
                        .append('\n');
            last = here;
            write(value);
        }
        switch (block.terminator()) {
            case Terminator.Return _ -> text.append("    return;\n");
            case Terminator.Jump(Edge edge) ->
                text.append("    ").append(go(edge)).append('\n');
            case Terminator.Branch(Value condition, Edge yes, Edge no) ->
                text.append("    if (")
                        .append(Expressions.use(condition))
                        .append(") ")
                        .append(go(yes))
                        .append("\n    else ")
                        .append(go(no))
                        .append('\n');
        }
    }

    private void write(Value value) {
        switch (value.operation()) {
            case LOAD -> {
                check(value);
                text.append("    ").append(Expressions.use(value)).append(" = ").append(Expressions.place(value));
            }
            case STORE -> {
                check(value);
                Element element =
                        Objects.requireNonNull(value.operand(0).parameter().element());
                text.append("    ").append(Expressions.place(value)).append(" = (");
                text.append(Expressions.memory(element)).append(") ");
                text.append(Expressions.use(value.operands().getLast()));
            }
            default -> {
                if (Expressions.mayDivideByZero(value))
                    fail(Expressions.use(value.operand(1)) + " == 0", new FailureSite(value.position(), -1), List.of());
                text.append("    ").append(Expressions.use(value)).append(" = ").append(Expressions.compute(value));
            }
        }
        text.append(";\n");
    }

    private void check(Value access) {
        if (!checked) return;
        int array = access.operand(0).parameter().index();
        fail(Expressions.outside(access), new FailureSite(access.position(), array), access.indices());
    }

    private void fail(String condition, FailureSite site, List<Value> indices) {
        String index = java.util.stream.IntStream.range(0, 3)
                .mapToObj(k -> k < indices.size() ? Expressions.use(indices.get(k)) : "0")
                .collect(Collectors.joining(", "));
        text.append("    if (").append(condition).append(") { fail(failure, ").append(sites.size());
        text.append(", x, y, z, ").append(index).append("); return; }\n");
        sites.add(site);
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

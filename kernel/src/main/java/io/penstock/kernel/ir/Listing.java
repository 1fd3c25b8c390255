package io.penstock.kernel.ir;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Code of the intermediate form as text. */
final class Listing {
    /** The column where lines of the source are named. */
    private static final int MARGIN = 60;

    private Listing() {}

    static String of(KernelCode code) {
        return of(code, value -> "");
    }

    /** The listing with a note beside each value. */
    static String of(KernelCode code, Function<Value, String> note) {
        StringBuilder text = new StringBuilder("kernel ").append(code.name()).append('\n');
        for (Block block : code.blocks()) {
            text.append(block).append(parameters(block)).append(":\n");
            for (Value value : block.values()) {
                if (value.operation() == Operation.PARAMETER) continue;
                line(text, "    " + define(value), value.position(), note.apply(value));
            }
            line(text, "    " + end(block.terminator()), null, "");
        }
        return text.toString();
    }

    private static void line(StringBuilder text, String code, @Nullable Position position, String note) {
        text.append(code);
        if (position != null)
            text.append(" ".repeat(Math.max(1, MARGIN - code.length())))
                    .append("// ")
                    .append(position.file())
                    .append(':')
                    .append(position.line())
                    .append(note.isEmpty() ? "" : "  " + note);
        text.append('\n');
    }

    private static String parameters(Block block) {
        if (block.parameters().isEmpty()) return "";
        return block.parameters().stream()
                .map(p -> type(p.type()) + " " + p)
                .collect(Collectors.joining(", ", "(", ")"));
    }

    private static String define(Value value) {
        String computed = compute(value);
        return value.type() == ValueType.NOTHING ? computed : type(value.type()) + " " + value + " = " + computed;
    }

    private static String compute(Value value) {
        return switch (value.operation()) {
            case LOAD -> value.operand(0) + indices(value) + part(value);
            case ATOMIC ->
                value.operand(0) + indices(value) + "."
                        + value.attribute(Atomic.class).method()
                        + list(value.operands()
                                .subList(
                                        1 + value.indices().size(),
                                        value.operands().size()));
            case LOCAL_ARRAY ->
                "local " + value.attribute(LocalArray.class).element().view() + "[" + join(value.operands()) + "]";
            case PRIVATE_ARRAY -> {
                PrivateArray array = value.attribute(PrivateArray.class);
                yield "private " + array.element().view() + "[" + array.length() + "]";
            }
            case FAIL ->
                "fail \""
                        + value.attribute(Thrown.class)
                                .with(value.operands().stream()
                                        .map(Listing::name)
                                        .toList()) + "\"";
            case STORE ->
                value.operand(0) + indices(value) + part(value) + " = "
                        + value.operands().getLast();
            case QUERY ->
                (value.operands().isEmpty() ? "range" : value.operand(0)) + "."
                        + value.attribute(Query.class).text();
            case MATH -> value.attribute(MathFunction.class) + list(value.operands());
            case CONVERT -> "(" + type(value.type()) + ") " + value.operand(0);
            default -> {
                String name = value.operation().name().toLowerCase(Locale.ROOT);
                yield value.operands().isEmpty() ? name : name + " " + join(value.operands());
            }
        };
    }

    private static String indices(Value value) {
        return "[" + join(value.indices()) + "]";
    }

    private static String part(Value value) {
        Element element = value.array().element();
        if (element == null || element.parts() == 1) return "";
        return value.attribute(Integer.class) == 0 ? ".re" : ".im";
    }

    private static String end(Terminator terminator) {
        return switch (terminator) {
            case Terminator.Jump(Edge edge) -> "goto " + edge(edge);
            case Terminator.Branch(Value condition, Edge yes, Edge no) ->
                "if " + condition + " goto " + edge(yes) + " else " + edge(no);
            case Terminator.Return _ -> "return";
        };
    }

    private static String edge(Edge edge) {
        return edge.target() + (edge.arguments().isEmpty() ? "" : list(edge.arguments()));
    }

    private static String list(List<Value> values) {
        return "(" + join(values) + ")";
    }

    private static String join(List<Value> values) {
        List<String> names = new ArrayList<>();
        for (Value value : values) names.add(name(value));
        return String.join(", ", names);
    }

    static String name(Value value) {
        return switch (value.operation()) {
            case CONSTANT -> {
                Object number = value.attribute(Object.class);
                yield number
                        + switch (value.type()) {
                            case LONG -> "L";
                            case FLOAT -> "f";
                            default -> "";
                        };
            }
            case PARAMETER -> value.parameter().name();
            case ITEM -> "item";
            default -> "v" + value.number();
        };
    }

    private static String type(ValueType type) {
        return type.name().toLowerCase(Locale.ROOT);
    }
}

package io.penstock.kernel;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import javax.tools.ToolProvider;

/**
 * Writes kernels at random, as Java source that javac compiles: integer extremes, NaN, shifts, casts, divisions by what may be
 * zero, nested loops with breaks, branches, switches and calls. Each item stores to its own row of the outputs only.
 */
final class RandomKernels {
    private static final String VIEWS =
            "WorkItem at, Ints io, Longs lo, Floats fo, Doubles dout, Ints ii, Longs li, Floats fi, Doubles di, ";

    static final int GROUP = 8;
    static final int SUMS = 8;

    /** Columns of the outputs, and elements of the inputs. */
    static final int COLUMNS = 4;

    static final int LENGTH = 32;

    private static final String PROLOGUE = """
            import io.penstock.kernel.*;

            public final class RandomProgram {
                static int mix(int a, int b) {
                    if (a > b) return a - b;
                    return a ^ (b << 3);
                }

                static double blend(double a, float b) {
                    return a < b ? a * 0.5 : b - a;
                }

                record Point(float x, double y) {
                    Point turned() {
                        return new Point((float) y, -x);
                    }

                    Point plus(Point other) {
                        return new Point(x + other.x, y - other.y);
                    }
                }

                record Labelled(Point point, int label, long size) {
                    static Labelled of(Point point, int label) {
                        if (label > 3) return new Labelled(point.turned(), label, label * 3L);
                        return new Labelled(point, -label, 1);
                    }
                }
            """;

    private final SplittableRandom random;
    private final StringBuilder text = new StringBuilder();
    private final List<String> variables = new ArrayList<>();
    /** Mostly small kernels: mistakes show in those of any size, and these are had sooner. */
    private final boolean small;

    private int names;
    private int depth;

    private RandomKernels(SplittableRandom random) {
        this.random = random;
        this.small = random.nextInt(8) > 0;
    }

    /** A kernel's parameters and the beginning of its body; those of kernels whose items work together have sums behind them that none reads. */
    private static String signature(boolean boxes, String sums) {
        return boxes
                ? VIEWS + "Long boxedQ, Integer boxedP" + sums + ") {\nlong q = boxedQ;\nint p = boxedP;\n"
                : VIEWS + "long q, int p" + sums + ") {\n";
    }

    /** A class {@code RandomProgram} with methods {@code k0}, {@code k1} and so on; {@code folder} must stay until it is closed. */
    static URLClassLoader compile(Path folder, SplittableRandom random, int count) throws IOException {
        return compile(folder, random, count, 0);
    }

    /** The same with methods {@code g0}, {@code g1} and so on, whose items work together. */
    static URLClassLoader compile(Path folder, SplittableRandom random, int count, int groups) throws IOException {
        StringBuilder program = new StringBuilder(PROLOGUE);
        for (int k = 0; k < count; k++) {
            RandomKernels kernel = new RandomKernels(random.split());
            program.append("public static void k").append(k).append('(').append(signature(k % 2 == 1, ""));
            program.append(kernel.body()).append("}\n");
        }
        for (int k = 0; k < groups; k++) {
            RandomKernels kernel = new RandomKernels(random.split());
            program.append("public static void g")
                    .append(k)
                    .append('(')
                    .append(signature(k % 2 == 1, ", Ints sums, Longs wide"));
            program.append(kernel.groupBody()).append("}\n");
        }
        Path source = folder.resolve("RandomProgram.java");
        Files.writeString(source, program.append("}\n"));
        int failed = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-g",
                        "-nowarn",
                        "-proc:none",
                        "-d",
                        folder.toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        source.toString());
        if (failed != 0) throw new IllegalStateException("javac refuses " + source);
        return new URLClassLoader(new URL[] {folder.toUri().toURL()}, RandomKernels.class.getClassLoader());
    }

    private String pick(String... all) {
        return all[random.nextInt(all.length)];
    }

    private String body() {
        declare("int");
        declare("long");
        declare("float");
        declare("double");
        statements(small ? 1 + random.nextInt(2) : 2 + random.nextInt(4));
        if (random.nextInt(8) == 0) record();
        if (random.nextInt(8) == 0) array();
        store();
        store();
        return text.toString();
    }

    /** An array of the item's own, which keeps what it is given at places that depend on the data. */
    private void array() {
        String type = pick("int", "long", "float", "double");
        String name = "w" + names++;
        text.append("%s[] %s = new %s[4];\n".formatted(type, name, type));
        text.append("for (int c = 0; c < 3; c++) %s[(%s) & 3] %s %s;\n"
                .formatted(name, expression("int", 1), pick("=", "+="), expression(type, 1)));
        text.append("%s = %s[(%s) & 3];\n".formatted(variable(type), name, expression("int", 1)));
    }

    /** The first variable of a type. */
    private String variable(String type) {
        return variables.stream()
                .filter(v -> v.startsWith(type + " "))
                .findFirst()
                .orElseThrow()
                .split(" ")[1];
    }

    /** Parts that items do alone, and what they do together between them. */
    private String groupBody() {
        declare("int");
        declare("long");
        declare("float");
        declare("double");
        text.append("long here = Math.min(at.groupSizeX(), at.sizeX() - at.groupX() * at.groupSizeX());\n");
        variables.add("long here");
        variables.add("long at.localX()");
        variables.add("long at.groupX()");
        int parts = 2 + random.nextInt(3);
        for (int k = 0; k < parts; k++) {
            statements(1 + random.nextInt(2));
            if (random.nextInt(3) == 0) record();
            if (random.nextInt(4) == 0)
                together(
                        "for (int r" + k + " = 0; r" + k + " < " + pick("2", "p", "here") + "; r" + k + "++) {\n",
                        "}\n");
            else if (random.nextInt(4) == 0)
                together("if (" + pick("p > 1", "q < here", "at.groupX() == 1", "ii.get(3) > 0") + ") {\n", "}\n");
            else together("", "");
        }
        store();
        store();
        return text.toString();
    }

    /** Items give each other a number through shared memory, or count together. */
    private void together(String before, String after) {
        text.append(before);
        String name = "m" + names++;
        if (random.nextBoolean()) {
            String type = pick("int", "long", "float", "double");
            String view = Character.toUpperCase(type.charAt(0)) + type.substring(1) + "s";
            boolean padded = random.nextBoolean();
            text.append("%s %s = at.local%s(%s);\n"
                    .formatted(view, name, view, padded ? "2, " + (GROUP + 1) : pick("" + GROUP, "at.groupSizeX()")));
            text.append("%s.set(%sat.localX(), %s);\nat.barrier();\n"
                    .formatted(name, padded ? "1, " : "", expression(type, 2)));
            String got = type.charAt(0) + "" + names++;
            text.append("%s %s = %s.get(%s(at.localX() + %d) %% here);\nat.barrier();\n"
                    .formatted(type, got, name, padded ? "1, " : "", random.nextInt(5)));
            variables.add(type + " " + got);
            if (random.nextBoolean()) store();
            if (!before.isEmpty()) variables.removeLast();
        } else {
            text.append(
                    "Ints %s = at.localInts(2);\nif (at.localX() == 0) { %s.set(0, 0); %s.set(1, %s); }\nat.barrier();\n"
                            .formatted(name, name, name, pick("-1", "p", "7")));
            if (random.nextBoolean()) text.append("if (").append(condition()).append(") ");
            text.append("%s.%s(%s & 1, %s);\nat.barrier();\n"
                    .formatted(
                            name,
                            pick("atomicAdd", "atomicXor", "atomicAnd", "atomicMax", "atomicMin"),
                            "1",
                            expression("int", 2)));
            text.append("io.set(at.x(), %d, %s.get(1));\nat.barrier();\n".formatted(random.nextInt(COLUMNS), name));
        }
        text.append(after);
        if (random.nextBoolean()) text.append("if (").append(condition()).append(") ");
        if (random.nextBoolean())
            text.append("sums.atomicAdd((%s) & 7, %s);\n".formatted(expression("int", 1), expression("int", 2)));
        else
            text.append("wide.%s((%s) & 7, %s);\n"
                    .formatted(
                            pick("atomicAdd", "atomicAdd", "atomicAdd"), expression("long", 1), expression("long", 2)));
    }

    private void record() {
        String name = "o" + names++;
        text.append("Labelled %s = Labelled.of(new Point(%s, %s), %s);\n"
                .formatted(name, expression("float", 1), expression("double", 1), expression("int", 1)));
        text.append(
                "for (int c = 0; c < 3; c++) if (%s) %s = new Labelled(%s.point().plus(%s.point().turned()), %s.label() + c, %s.size() * 3);\n"
                        .formatted(condition(), name, name, name, name, name));
        text.append("fo.set(at.x(), 1, %s.point().x());\nlo.set(at.x(), 3, %s.size() - %s.label());\n"
                .formatted(name, name, name));
    }

    private void statements(int count) {
        int known = variables.size();
        for (int k = 0; k < count; k++) statement();
        while (variables.size() > known) variables.removeLast();
    }

    private void statement() {
        switch (depth > 1 ? random.nextInt(5) : random.nextInt(12)) {
            case 0 -> declare(pick("int", "long", "float", "double"));
            case 1, 2, 3 -> assign();
            case 4 -> store();
            case 5, 6 -> branch();
            case 7, 8 -> loop();
            case 9 -> choose();
            default -> trial();
        }
    }

    private void block(int statements) {
        depth++;
        text.append("{\n");
        statements(statements);
        text.append("}\n");
        depth--;
    }

    private void declare(String type) {
        String name = type.charAt(0) + "" + names++;
        text.append(type)
                .append(' ')
                .append(name)
                .append(" = ")
                .append(expression(type, 2))
                .append(";\n");
        variables.add(type + " " + name);
    }

    private void assign() {
        String[] variable = pick(variables.toArray(String[]::new)).split(" ");
        if (variable[1].startsWith("k") || variable[1].equals("here") || variable[1].startsWith("at.")) return;
        text.append(variable[1])
                .append(" = ")
                .append(expression(variable[0], 3))
                .append(";\n");
    }

    private void store() {
        String column = random.nextBoolean() ? "" + random.nextInt(COLUMNS) : "(" + expression("int", 1) + ") & 3";
        switch (random.nextInt(4)) {
            case 0 -> text.append("io.set(at.x(), ").append(column).append(", ").append(expression("int", 2));
            case 1 -> text.append("lo.set(at.x(), ").append(column).append(", ").append(expression("long", 2));
            case 2 -> text.append("fo.set(at.x(), ").append(column).append(", ").append(expression("float", 2));
            default ->
                text.append("dout.set(at.x(), ").append(column).append(", ").append(expression("double", 2));
        }
        text.append(");\n");
    }

    private void branch() {
        text.append("if (").append(condition()).append(") ");
        block(1 + random.nextInt(3));
        if (random.nextBoolean()) {
            text.append("else ");
            block(1 + random.nextInt(2));
        }
    }

    private void loop() {
        String counter = "k" + names++;
        String bound = pick("3", "p", "(int) (at.x() & 3)", "ii.length() - 27", "5");
        String header = switch (random.nextInt(3)) {
            case 0 -> "for (int N = 0; N < B; N++) ";
            case 1 -> "for (long N = B; N > 0; N -= 2) ";
            default -> "for (long N = at.x(); N < 12; N += at.sizeX()) ";
        };
        text.append(header.replace("N", counter).replace("B", bound));
        depth++;
        text.append("{\n");
        variables.add((header.startsWith("for (int") ? "int " : "long ") + counter);
        if (random.nextInt(3) == 0)
            text.append("if (")
                    .append(condition())
                    .append(") ")
                    .append(pick("break", "continue"))
                    .append(";\n");
        statements(1 + random.nextInt(2));
        variables.removeLast();
        text.append("}\n");
        depth--;
    }

    private void choose() {
        text.append("switch (").append(expression("int", 1)).append(" & 3) {\n");
        for (int k = 0; k < 3; k++) {
            text.append("case ").append(k).append(" -> ");
            block(1);
        }
        text.append("default -> ");
        block(1);
        text.append("}\n");
    }

    private void trial() {
        String counter = "k" + names++;
        text.append("int ").append(counter).append(" = 0;\ndo ");
        block(1);
        text.append("while (++")
                .append(counter)
                .append(" < 3 && (")
                .append(condition())
                .append("));\n");
    }

    private String condition() {
        String type = pick("int", "long", "float", "double");
        String test = expression(type, 1) + pick(" < ", " <= ", " > ", " >= ", " == ", " != ") + expression(type, 1);
        return switch (random.nextInt(4)) {
            case 0 -> test + pick(" && ", " || ") + "at.x() " + pick("< ", ">= ", "!= ") + random.nextInt(10);
            case 1 -> "!(" + test + ")";
            default -> test;
        };
    }

    private String expression(String type, int most) {
        int levels = small ? Math.min(most, random.nextInt(3)) : most;
        if (levels == 0 || random.nextInt(5) == 0) return leaf(type);
        String a = expression(type, levels - 1);
        String b = expression(type, levels - 1);
        boolean integer = type.equals("int") || type.equals("long");
        if (integer)
            return switch (random.nextInt(12)) {
                case 0, 1 -> "(" + a + pick(" + ", " - ", " * ") + b + ")";
                case 2 -> "(" + a + pick(" & ", " | ", " ^ ") + b + ")";
                case 3 -> "(" + a + pick(" << ", " >> ", " >>> ") + expression(pick("int", "long"), levels - 1) + ")";
                case 4 -> "(" + a + pick(" / ", " % ") + "(" + b + " | 1))";
                case 5 -> "Math." + pick("min", "max") + "(" + a + ", " + b + ")";
                case 6 -> "(- " + a + ")";
                case 7 -> "Math.abs(" + a + ")";
                case 8 -> "(" + type + ") " + cast(levels);
                case 9 -> "(" + type + ") (" + condition() + " ? " + a + " : " + b + ")";
                case 10 -> type.equals("int") ? "mix(" + a + ", " + b + ")" : "Math.floorMod(" + a + ", 13L)";
                default -> "(" + pick("byte", "short", "char") + ") " + cast(levels);
            };
        return switch (random.nextInt(9)) {
            case 0, 1, 2 -> "(" + a + pick(" + ", " - ", " * ", " / ") + b + ")";
            case 3 -> "Math." + pick("min", "max") + "(" + a + ", " + b + ")";
            case 4 -> "(- " + a + ")";
            case 5 -> "Math.abs(" + a + ")";
            case 6 -> type.equals("float") ? "(float) Math.sqrt(" + a + ")" : "Math.sqrt(" + a + ")";
            case 7 -> "(" + type + ") (" + condition() + " ? " + a + " : " + b + ")";
            default -> "(" + type + ") " + cast(levels);
        };
    }

    private String cast(int levels) {
        return "(" + expression(pick("int", "long", "float", "double"), levels - 1) + ")";
    }

    private String leaf(String type) {
        List<String> fitting =
                variables.stream().filter(v -> v.startsWith(type + " ")).toList();
        if (!fitting.isEmpty() && random.nextInt(2) == 0)
            return fitting.get(random.nextInt(fitting.size())).split(" ")[1];
        return switch (type) {
            case "int" ->
                pick("p", "ii.get(" + index() + ")", "io.get(at.x(), 1)", "7", "-1", "0", "Integer.MIN_VALUE");
            case "long" -> pick("q", "at.x()", "li.get(" + index() + ")", "lo.get(at.x(), 2)", "3L", "Long.MAX_VALUE");
            case "float" -> pick("fi.get(" + index() + ")", "fo.get(at.x(), 0)", "0.5f", "-0f", "Float.NaN", "3e38f");
            default -> pick("di.get(" + index() + ")", "dout.get(at.x(), 3)", "0.25", "-0.0", "Double.NaN", "1e300");
        };
    }

    private String index() {
        return switch (random.nextInt(5)) {
            case 0 -> "at.x() + " + random.nextInt(3);
            case 1 -> "Math.min(at.x() + 2, ii.length() - 1)";
            case 2 -> "Math.floorMod(" + pick("p", "(int) at.x() * 5") + ", " + LENGTH + ")";
            case 3 -> "2 * at.x()";
            default -> "" + random.nextInt(LENGTH);
        };
    }
}

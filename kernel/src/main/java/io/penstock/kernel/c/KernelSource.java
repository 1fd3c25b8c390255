package io.penstock.kernel.c;

import io.penstock.kernel.ir.Block;
import io.penstock.kernel.ir.Element;
import io.penstock.kernel.ir.KernelCode;
import io.penstock.kernel.ir.Operation;
import io.penstock.kernel.ir.Parameter;
import io.penstock.kernel.ir.Value;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A kernel as a program of CUDA C++ or OpenCL C.
 *
 * <p>The entry takes the range's {@code Sizes}, a {@code Failure} record, the launch's number, where there is memory for groups
 * whose layout is not fixed its {@code Layout}, in OpenCL that memory, and the launch's values: of a view, where its allocation
 * begins, and its shape; see the types at the beginning of the text. Unless the variant says that there are enough threads, a group
 * of threads does any number of a kernel's groups where it sees them, else any number of threads any number of items. The first item that fails writes the record; others that
 * fail end without a word, and all others go on.
 *
 * <p>Integers wrap around, shifts take their distance modulo the width, casts saturate, and products are not contracted with
 * sums, as in Java. NaNs may have other bits. {@code Math}'s functions are the device's own, within its stated error.
 */
public final class KernelSource {
    /** The most threads of a group that is not the kernel's own. */
    private static final int MOST_THREADS = 256;

    /** How many groups of so many threads a multiprocessor takes. */
    private static final int RESIDENT_GROUPS = 8;

    /** The most values of a kernel of which 32 registers hold what matters at a time. */
    private static final int FEW_VALUES = 64;

    private final Dialect dialect;
    private final KernelCode code;
    private final Variant variant;
    private final List<FailureSite> sites = new ArrayList<>();
    private final String entry;
    private final boolean seesGroups;
    private final boolean hasBarriers;
    private final boolean sharesMemory;
    private final boolean takesLayout;
    /** What every function of the kernel is given after the item's position. */
    private final String given;

    private final String own;

    private KernelSource(Dialect dialect, KernelCode code, Variant variant) {
        this.dialect = dialect;
        this.code = code;
        this.variant = variant;
        this.entry = Expressions.word(code.name());
        this.seesGroups = code.seesGroups();
        this.hasBarriers = code.uses(Operation.BARRIER);
        this.sharesMemory = !code.localArrays().isEmpty();
        this.takesLayout = !SharedLayout.isFixed(code);
        this.given = given();
        this.own = write();
    }

    /** Writes a kernel out. */
    public static KernelSource of(Dialect dialect, KernelCode code, Variant variant) {
        return new KernelSource(dialect, code, variant);
    }

    /** The program. */
    public String text() {
        return program(List.of(this));
    }

    /**
     * Several kernels of one dialect, with names of their own, as one program.
     *
     * @throws IllegalArgumentException when there is none
     */
    public static String program(List<KernelSource> kernels) {
        if (kernels.isEmpty()) throw new IllegalArgumentException("a program of no kernels");
        boolean atomics = kernels.stream().anyMatch(kernel -> kernel.code.uses(Operation.ATOMIC));
        boolean fast = kernels.stream().allMatch(kernel -> kernel.variant.fast());
        StringBuilder all = new StringBuilder(Prelude.of(kernels.getFirst().dialect, atomics, fast));
        for (KernelSource kernel : kernels)
            all.append("// ").append(kernel.code.name()).append('\n').append(kernel.own);
        return all.toString();
    }

    /** The name of the function to launch. */
    public String entry() {
        return entry;
    }

    /** Where items can fail, by the numbers in failure records. */
    public List<FailureSite> sites() {
        return List.copyOf(sites);
    }

    /** Whether the entry takes the offsets of the arrays that a group shares. */
    public boolean takesLayout() {
        return takesLayout;
    }

    /** Whether a group has memory to share, which OpenCL passes as an argument. */
    public boolean sharesMemory() {
        return sharesMemory;
    }

    private String index() {
        return variant.narrowRange() ? "i32" : "i64";
    }

    private String write() {
        StringBuilder text = new StringBuilder();
        if (takesLayout())
            text.append("typedef struct { i64 at[")
                    .append(code.localArrays().size())
                    .append("]; } ")
                    .append(entry())
                    .append("_Layout;\n");
        text.append(function("void", "item", ItemWriter.Mode.CHECKED));
        if (looksAhead()) {
            text.append(function("i32", "foreseen", ItemWriter.Mode.FORESEEN));
            text.append(function("void", "trusted", ItemWriter.Mode.TRUSTED));
        }
        text.append(dialect.entry())
                .append(' ')
                .append(bounds())
                .append(entry())
                .append('(');
        text.append(entryParameters()).append(") {\n");
        if (sharesMemory() && dialect == Dialect.CUDA) text.append("    extern __shared__ double groupMemory[];\n");
        // NVIDIA's OpenCL aligns the group's memory as the parameter's type asks, and no better.
        if (sharesMemory()) text.append("    LOCAL char *memory = (LOCAL char *) groupMemory;\n");
        text.append(seesGroups ? groups() : items());
        return text.append("}\n\n").toString();
    }

    /** What keeps the registers of a thread few enough for as many threads as a multiprocessor takes, where they are spilled little. */
    private String bounds() {
        boolean bounded = dialect == Dialect.CUDA && variant.itemsPerThread() > 1 && code.values() <= FEW_VALUES;
        return bounded ? "__launch_bounds__(" + MOST_THREADS + ", " + RESIDENT_GROUPS + ") " : "";
    }

    private String function(String type, String name, ItemWriter.Mode mode) {
        return "INLINE " + type + " " + entry() + "_" + name + "(" + parameters() + ") {\n"
                + new ItemWriter(dialect, code, variant, mode, sites).write() + "}\n\n";
    }

    /**
     * Whether a thread first finds out of its several items whether any will fail, and where none will does them without checks:
     * then their loads are under way together, which no branch between them must prevent. What decides that must not change
     * meanwhile, so no view may be read and written.
     */
    private boolean looksAhead() {
        if (variant.itemsPerThread() == 1 || sites.isEmpty() || !variant.disjoint()) return false;
        Set<Value> written = views(Operation.STORE);
        for (Value read : views(Operation.LOAD)) if (written.contains(read)) return false;
        return true;
    }

    /** The views that an operation touches, and arrays of an item's own. */
    private Set<Value> views(Operation operation) {
        Set<Value> all = new HashSet<>();
        for (Block block : code.blocks())
            for (Value value : block.values()) if (value.operation() == operation) all.add(value.array());
        return all;
    }

    /** Any number of threads do any number of items, or one thread one item or few. */
    private String items() {
        StringBuilder text = new StringBuilder();
        int count = variant.itemsPerThread();
        String first = count == 1 ? "x" : "first";
        String width = "(" + count + " * THREADS(x))";
        if (variant.onePass()) {
            for (String d : List.of("z", "y")) text.append("    const ").append(start(d, d, "THREADS(" + d + ")"));
            text.append("    const ").append(start(first, "x", width));
            text.append("    if (z < sizes.z && y < sizes.y && ").append(first).append(" < sizes.x) {\n");
        } else {
            for (String d : List.of("z", "y")) loop(text, d, d, "THREADS(" + d + ")");
            loop(text, first, "x", width);
            text.append("    {\n");
        }
        if (count == 1) text.append("        ").append(call("item", "x")).append(";\n");
        else several(text, count);
        return text.append("    }\n").toString();
    }

    private String start(String name, String d, String width) {
        return index() + " " + name + " = (" + index() + ") GROUP(" + d + ") * " + width + " + THREAD(" + d + ");\n";
    }

    private void loop(StringBuilder text, String name, String d, String width) {
        text.append("    for (").append(start(name, d, width));
        text.append("         ").append(name).append(" < sizes.").append(d).append("; ");
        text.append(name)
                .append(" += GROUPS(")
                .append(d)
                .append(") * ")
                .append(width)
                .append(")\n");
    }

    /** What a thread does that has several items: all of them, or one by one what is left at the end of a row. */
    private void several(StringBuilder text, int count) {
        text.append("        if (first + ").append(count - 1).append(" * THREADS(x) < sizes.x");
        for (int k = 0; k < count && looksAhead(); k++)
            text.append(k == 0 ? "\n            && (" : "\n            & ")
                    .append(call("foreseen", several(k)))
                    .append(k == count - 1 ? ")" : "");
        text.append(") {\n");
        for (int k = 0; k < count; k++)
            text.append("            ")
                    .append(call(looksAhead() ? "trusted" : "item", several(k)))
                    .append(";\n");
        text.append("        } else {\n            for (").append(index());
        text.append(" x = first; x < sizes.x; x += THREADS(x))\n                ");
        text.append(call("item", "x")).append(";\n        }\n");
    }

    private static String several(int k) {
        return k == 0 ? "first" : "first + " + k + " * THREADS(x)";
    }

    /** Any number of groups of threads do any number of groups of items, or one does one. */
    private String groups() {
        StringBuilder text = new StringBuilder();
        for (String d : List.of("Z", "Y", "X"))
            text.append((variant.onePass()
                            ? "    const I groupD = GROUP(d);\n"
                            : "    for (I groupD = GROUP(d); groupD < sizes.groupsD; groupD += GROUPS(d))\n")
                    .replace("I ", index() + " ")
                    .replace("D", d)
                    .replace("(d)", "(" + d.toLowerCase(Locale.ROOT) + ")"));
        text.append("    {\n");
        for (String d : List.of("X", "Y", "Z"))
            text.append("        I d = groupD * (I) sizes.groupD + THREAD(d);\n"
                    .replace("(I)", "(" + index() + ")")
                    .replace("I ", index() + " ")
                    .replace("groupD", "group" + d)
                    .replace(" d ", " " + d.toLowerCase(Locale.ROOT) + " ")
                    .replace("(d)", "(" + d.toLowerCase(Locale.ROOT) + ")"));
        String active = variant.wholeGroups() ? "1" : "x < sizes.x && y < sizes.y && z < sizes.z";
        text.append("        i32 active = ").append(active).append(";\n");
        text.append("        ")
                .append(hasBarriers ? "" : "if (active) ")
                .append(call("item", "x"))
                .append(";\n");
        // The next group must not write what a thread of this one has yet to read.
        if (sharesMemory() && !variant.onePass()) text.append("        BARRIER;\n");
        return text.append("    }\n").toString();
    }

    private String parameters() {
        List<String> all = new ArrayList<>();
        for (String d : List.of("x", "y", "z")) all.add(index() + " " + d);
        if (seesGroups) for (String d : List.of("X", "Y", "Z")) all.add(index() + " group" + d);
        if (hasBarriers) all.add("i32 active");
        if (sharesMemory()) all.add("LOCAL char *memory");
        all.addAll(common());
        for (Parameter parameter : code.parameters()) {
            Element element = parameter.element();
            String name = Expressions.name(parameter);
            if (element == null) {
                all.add("const " + Expressions.type(parameter.type()) + " " + name);
            } else {
                all.add("GLOBAL " + Expressions.memory(element) + " *" + name);
                all.add(shape(parameter) + " " + name + "_shape");
            }
        }
        return String.join(", ", all);
    }

    private List<String> common() {
        List<String> all = new ArrayList<>(List.of("const Sizes sizes", "GLOBAL Failure *failure", "const i32 launch"));
        if (takesLayout()) all.add("const " + entry() + "_Layout layout");
        return all;
    }

    private String shape(Parameter view) {
        boolean narrow = variant.known(code, view).narrow();
        return narrow ? "const Shape32" : "const Shape64";
    }

    private String entryParameters() {
        List<String> all = new ArrayList<>(common());
        if (sharesMemory() && dialect == Dialect.OPENCL) all.add("LOCAL i64 *groupMemory");
        for (Parameter parameter : code.parameters()) {
            String name = Expressions.name(parameter);
            if (!parameter.isView()) {
                all.add("const " + Expressions.type(parameter.type()) + " " + name);
                continue;
            }
            all.add("GLOBAL char *" + (variant.disjoint() ? "RESTRICT " : "") + name);
            all.add(shape(parameter) + " " + name + "_shape");
        }
        return String.join(", ", all);
    }

    private String call(String function, String x) {
        return entry + "_" + function + "(" + x + ", " + given;
    }

    private String given() {
        List<String> all = new ArrayList<>(List.of("y", "z"));
        if (seesGroups) all.addAll(List.of("groupX", "groupY", "groupZ"));
        if (hasBarriers) all.add("active");
        if (sharesMemory()) all.add("memory");
        all.addAll(List.of("sizes", "failure", "launch"));
        if (takesLayout()) all.add("layout");
        for (Parameter parameter : code.parameters()) {
            String name = Expressions.name(parameter);
            Element element = parameter.element();
            if (element == null) {
                all.add(name);
            } else {
                all.add("(GLOBAL " + Expressions.memory(element) + " *) (" + name + " + " + name + "_shape.offset)");
                all.add(name + "_shape");
            }
        }
        return String.join(", ", all) + ")";
    }
}

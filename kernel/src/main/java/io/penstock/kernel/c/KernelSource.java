package io.penstock.kernel.c;

import io.penstock.kernel.ir.Element;
import io.penstock.kernel.ir.KernelCode;
import io.penstock.kernel.ir.Operation;
import io.penstock.kernel.ir.Parameter;
import io.penstock.kernel.ir.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

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
    private final Dialect dialect;
    private final KernelCode code;
    private final Variant variant;
    private final List<FailureSite> sites = new ArrayList<>();
    private final String own;

    private KernelSource(Dialect dialect, KernelCode code, Variant variant) {
        this.dialect = dialect;
        this.code = code;
        this.variant = variant;
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
        StringBuilder all = new StringBuilder(Prelude.of(kernels.getFirst().dialect, atomics));
        for (KernelSource kernel : kernels)
            all.append("// ").append(kernel.code.name()).append('\n').append(kernel.own);
        return all.toString();
    }

    /** The name of the function to launch. */
    public String entry() {
        return code.name().replaceAll("[^A-Za-z0-9_]", "_");
    }

    /** Where items can fail, by the numbers in failure records. */
    public List<FailureSite> sites() {
        return List.copyOf(sites);
    }

    /** Whether the entry takes the offsets of the arrays that a group shares. */
    public boolean takesLayout() {
        return !SharedLayout.isFixed(code);
    }

    /** Whether a group has memory to share, which OpenCL passes as an argument. */
    public boolean sharesMemory() {
        return !code.localArrays().isEmpty();
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
        text.append(dialect.entry()).append(' ').append(entry()).append('(');
        text.append(entryParameters()).append(") {\n");
        if (sharesMemory() && dialect == Dialect.CUDA)
            text.append("    extern __shared__ double groupMemory[];\n    char *memory = (char *) groupMemory;\n");
        text.append(code.seesGroups() ? groups() : items());
        return text.append("}\n\n").toString();
    }

    private String function(String type, String name, ItemWriter.Mode mode) {
        return "INLINE " + type + " " + entry() + "_" + name + "(" + parameters() + ") {\n"
                + new ItemWriter(code, variant, mode, sites).write() + "}\n\n";
    }

    /**
     * Whether a thread first finds out of its several items whether any will fail, and where none will does them without checks:
     * then their loads are under way together, which no branch between them must prevent. What decides that must not change
     * meanwhile, so no view may be read and written.
     */
    private boolean looksAhead() {
        if (variant.itemsPerThread() == 1 || sites.isEmpty() || !variant.disjoint()) return false;
        Set<Value> written = views(Operation.STORE);
        return views(Operation.LOAD).stream().noneMatch(written::contains);
    }

    /** The views that an operation touches, and arrays of an item's own. */
    private Set<Value> views(Operation operation) {
        return code.blocks().stream()
                .flatMap(block -> block.values().stream())
                .filter(value -> value.operation() == operation)
                .map(Value::array)
                .collect(Collectors.toSet());
    }

    /** Any number of threads do any number of items, or one thread one item or few. */
    private String items() {
        int count = variant.itemsPerThread();
        StringBuilder calls = new StringBuilder();
        String several = looksAhead() ? "trusted" : "item";
        List<String> foreseen = new ArrayList<>();
        for (int k = 0; k < count; k++) {
            String x = k == 0 ? "first" : "first + " + k + " * THREADS(x)";
            calls.append("            ").append(call(several, x)).append(";\n");
            foreseen.add(call("foreseen", x));
        }
        String well = looksAhead() ? "\n            && (" + String.join("\n            & ", foreseen) + ")" : "";
        String each = count == 1
                ? "        " + call("item", "x") + ";\n"
                : """
                    if (first + (COUNT - 1) * THREADS(x) < sizes.xWELL) {
            CALLS        } else {
                        for (I x = first; x < sizes.x; x += THREADS(x))
                            CALL;
                    }
            """.replace("WELL", well).replace("CALLS", calls).replace("CALL", call("item", "x"));
        String way = variant.onePass() ? """
                    const I z = (I) GROUP(z) * THREADS(z) + THREAD(z);
                    const I y = (I) GROUP(y) * THREADS(y) + THREAD(y);
                    const I FIRST = (I) GROUP(x) * (COUNT * THREADS(x)) + THREAD(x);
                    if (z < sizes.z && y < sizes.y && FIRST < sizes.x) {
                EACH    }
                """ : """
                    for (I z = (I) GROUP(z) * THREADS(z) + THREAD(z); z < sizes.z; z += GROUPS(z) * THREADS(z))
                    for (I y = (I) GROUP(y) * THREADS(y) + THREAD(y); y < sizes.y; y += GROUPS(y) * THREADS(y))
                    for (I FIRST = (I) GROUP(x) * (COUNT * THREADS(x)) + THREAD(x); FIRST < sizes.x; FIRST += GROUPS(x) * (COUNT * THREADS(x))) {
                EACH    }
                """;
        return way.replace("EACH", each)
                .replace("FIRST", count == 1 ? "x" : "first")
                .replace("COUNT", "" + count)
                .replace("(I)", "(" + index() + ")")
                .replace(" I ", " " + index() + " ")
                .replace("(I ", "(" + index() + " ");
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
                .append(code.uses(Operation.BARRIER) ? "" : "if (active) ")
                .append(call("item", "x"))
                .append(";\n");
        // The next group must not write what a thread of this one has yet to read.
        if (sharesMemory() && !variant.onePass()) text.append("        BARRIER;\n");
        return text.append("    }\n").toString();
    }

    private String parameters() {
        List<String> all = new ArrayList<>();
        for (String d : List.of("x", "y", "z")) all.add(index() + " " + d);
        if (code.seesGroups()) for (String d : List.of("X", "Y", "Z")) all.add(index() + " group" + d);
        if (code.uses(Operation.BARRIER)) all.add("i32 active");
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
        boolean narrow = new Expressions(code, variant).known(view).narrow();
        return narrow ? "const Shape32" : "const Shape64";
    }

    private String entryParameters() {
        List<String> all = new ArrayList<>(common());
        if (sharesMemory() && dialect == Dialect.OPENCL) all.add("LOCAL char *memory");
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
        List<String> all = new ArrayList<>(List.of(x, "y", "z"));
        if (code.seesGroups()) all.addAll(List.of("groupX", "groupY", "groupZ"));
        if (code.uses(Operation.BARRIER)) all.add("active");
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
        return entry() + "_" + function + "(" + String.join(", ", all) + ")";
    }
}

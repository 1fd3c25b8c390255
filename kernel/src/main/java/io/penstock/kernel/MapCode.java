package io.penstock.kernel;

import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import io.penstock.kernel.ir.ClassBytes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Generates the class of a kernel that applies functions to elements: what one would write by hand for just these types, so that
 * everything behind it is that of kernels. The class is a nestmate of the function's, whose lambda it may call.
 */
final class MapCode {
    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
    private static final String METHOD = "run";

    private final ElementFunction home;
    private final List<ElementFunction> functions;
    private final List<Class<?>> parameters = new ArrayList<>();
    private int captures;

    /** The code of the method, given where each parameter's slot is. */
    private Consumer<CodeBuilder> body = code -> {};

    private MapCode(ElementFunction home, @Nullable ElementFunction... functions) {
        this.home = home;
        this.functions = new ArrayList<>();
        for (ElementFunction function : functions) if (function != null) this.functions.add(function);
        for (ElementFunction function : this.functions) {
            parameters.addAll(function.type().parameterList().subList(0, function.captures()));
            captures += function.captures();
        }
        parameters.add(WorkItem.class);
    }

    private int item() {
        return captures;
    }

    /** Adds a parameter and returns its position. */
    private int add(Class<?> type) {
        parameters.add(type);
        return parameters.size() - 1;
    }

    static MapCode map(
            ElementFunction function, Class<? extends ElementView> out, List<? extends Class<?>> in, int dimensions) {
        MapCode map = new MapCode(function, function);
        int to = map.add(out);
        int[] from = new int[in.size()];
        for (int k = 0; k < from.length; k++) {
            boolean record = in.get(k).isRecord();
            from[k] = map.add(record ? double.class : in.get(k));
            if (record) map.add(double.class);
        }
        map.body = code -> {
            MapWriter writer = new MapWriter(code, map.parameters);
            writer.callOn(function, 0, k -> {
                if (!ElementView.class.isAssignableFrom(in.get(k))) {
                    writer.given(in.get(k), from[k]);
                    writer.cast(in.get(k), function.type().parameterType(function.captures() + k));
                    return;
                }
                writer.load(from[k]);
                for (int d = dimensions - 1; d >= 0; d--) writer.item(map.item(), d);
                writer.get(in.get(k), dimensions);
            });
            Class<?> result = function.type().returnType();
            int value = writer.store(result);
            writer.load(to);
            for (int d = dimensions - 1; d >= 0; d--) writer.item(map.item(), d);
            writer.set(out, dimensions, result, value);
            code.return_();
        };
        return map;
    }

    static MapCode reduce(
            ElementFunction home,
            @Nullable ElementFunction values,
            ElementFunction combine,
            Class<? extends ElementView> out,
            List<Class<? extends ElementView>> in,
            boolean rowsLast) {
        MapCode reduce = new MapCode(home, values, combine);
        Class<?> sum = combine.type().returnType();
        int to = reduce.add(out);
        int begin = reduce.add(sum.isPrimitive() ? sum : double.class);
        if (!sum.isPrimitive()) reduce.add(double.class);
        int jump = reduce.add(long.class);
        int step = reduce.add(long.class);
        int count = reduce.add(long.class);
        int[] from = in.stream().mapToInt(reduce::add).toArray();
        int firstOfCombine = values == null ? 0 : values.captures();
        reduce.body = code -> {
            MapWriter writer = new MapWriter(code, reduce.parameters);
            int row = rowsLast ? 0 : 1;
            int piece = 1 - row;
            writer.given(sum, begin);
            int total = writer.store(sum);
            int k = writer.number(() -> code.lconst_0());
            Label next = code.newBoundLabel();
            Label end = code.newLabel();
            code.lload(k);
            writer.load(count);
            code.lcmp().ifge(end);
            int column = writer.number(() -> {
                writer.item(reduce.item(), piece);
                writer.load(jump);
                code.lmul().lload(k);
                writer.load(step);
                code.lmul().ladd();
            });
            Label outside = code.newLabel();
            code.lload(column);
            writer.load(from[0]);
            code.invokevirtual(MapWriter.desc(ElementView.class), "columns", MethodTypeDesc.of(CD_long));
            code.lcmp().ifge(outside);
            Consumer<Integer> element = a -> {
                writer.load(from[a]);
                writer.item(reduce.item(), row);
                code.lload(column);
                writer.get(in.get(a), 2);
            };
            writer.callOn(combine, firstOfCombine, operand -> {
                Class<?> type = combine.type().parameterType(combine.captures() + operand);
                if (operand == 0) writer.loadLocal(total, sum, type);
                else if (values == null) {
                    element.accept(0);
                } else {
                    writer.callOn(values, 0, element::accept);
                    writer.cast(values.type().returnType(), type);
                }
            });
            writer.storeTo(total, sum);
            code.labelBinding(outside);
            code.lload(k).lconst_1().ladd().lstore(k);
            code.goto_(next);
            code.labelBinding(end);
            writer.load(to);
            writer.item(reduce.item(), row);
            writer.item(reduce.item(), piece);
            writer.set(out, 2, sum, total);
            code.return_();
        };
        return reduce;
    }

    static MapCode scan(
            ElementFunction combine,
            Class<? extends ElementView> out,
            Class<? extends ElementView> begin,
            Class<? extends ElementView> in,
            boolean rowsLast) {
        MapCode scan = new MapCode(combine, combine);
        Class<?> sum = combine.type().returnType();
        int to = scan.add(out);
        int first = scan.add(begin);
        int length = scan.add(long.class);
        int from = scan.add(in);
        scan.body = code -> {
            MapWriter writer = new MapWriter(code, scan.parameters);
            int row = rowsLast ? 0 : 1;
            int piece = 1 - row;
            writer.load(first);
            writer.item(scan.item(), row);
            writer.item(scan.item(), piece);
            writer.get(begin, 2);
            writer.convertElement(begin, sum);
            int total = writer.store(sum);
            int k = writer.number(() -> code.lconst_0());
            Label next = code.newBoundLabel();
            Label end = code.newLabel();
            code.lload(k);
            writer.load(length);
            code.lcmp().ifge(end);
            int column = writer.number(() -> {
                writer.item(scan.item(), piece);
                writer.load(length);
                code.lmul().lload(k).ladd();
            });
            Label outside = code.newLabel();
            code.lload(column);
            writer.load(from);
            code.invokevirtual(MapWriter.desc(ElementView.class), "columns", MethodTypeDesc.of(CD_long));
            code.lcmp().ifge(outside);
            writer.callOn(combine, 0, operand -> {
                if (operand == 0) writer.loadLocal(total, sum, combine.type().parameterType(combine.captures()));
                else {
                    writer.load(from);
                    writer.item(scan.item(), row);
                    code.lload(column);
                    writer.get(in, 2);
                }
            });
            writer.storeTo(total, sum);
            writer.load(to);
            writer.item(scan.item(), row);
            code.lload(column);
            writer.set(out, 2, sum, total);
            code.labelBinding(outside);
            code.lload(k).lconst_1().ladd().lstore(k);
            code.goto_(next);
            code.labelBinding(end);
            code.return_();
        };
        return scan;
    }

    /** Makes the kernel of what was generated. */
    Implementation define() {
        Class<?> neighbour = home.declaring();
        MethodHandles.Lookup near;
        try {
            near = FullLookup.in(neighbour);
        } catch (IllegalAccessException e) {
            if (!functions.stream().allMatch(ElementFunction::isPublic))
                throw new IllegalArgumentException(
                        "function " + home.name() + " cannot be called from here; make it public, in a public class"
                                + " of a package that its module exports",
                        e);
            near = LOOKUP;
        }
        for (ElementFunction function : functions)
            if (!function.isPublic() && !function.declaring().isNestmateOf(near.lookupClass()))
                throw new IllegalArgumentException("functions " + home.name() + " and " + function.name()
                        + " are private to different classes; write both in one class, or make one of them public");
        String owner = near.lookupClass().getName().replace('.', '/') + "$Elements";
        byte[] bytes = spin(owner);
        MethodType type = MethodType.methodType(void.class, parameters);
        try {
            MethodHandles.Lookup hidden =
                    near.defineHiddenClass(bytes, true, MethodHandles.Lookup.ClassOption.NESTMATE);
            ClassBytes classes = ClassBytes.generated(owner, bytes, neighbour);
            return new Implementation(hidden, METHOD, type, captures, classes, owner, home.name());
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("the kernel of " + home.name() + " could not be defined", e);
        }
    }

    private byte[] spin(String owner) {
        ClassDesc[] types = parameters.stream().map(MapWriter::desc).toArray(ClassDesc[]::new);
        return ClassFile.of()
                .build(
                        ClassDesc.ofInternalName(owner),
                        type -> type.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SYNTHETIC)
                                .withMethodBody(METHOD, MethodTypeDesc.of(CD_void, types), ClassFile.ACC_STATIC, body));
    }
}

package io.penstock.kernel.jvm;

import io.penstock.kernel.ir.Block;
import io.penstock.kernel.ir.KernelCode;
import io.penstock.kernel.ir.Operation;
import io.penstock.kernel.ir.Parameter;
import io.penstock.kernel.ir.Query;
import io.penstock.kernel.ir.Value;
import io.penstock.kernel.ir.ValueType;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/** The words of a launch that a kernel needs, as local variables of its loop. */
final class LaunchLocals {
    private static final ClassDesc FLOAT = ClassDesc.of("java.lang.Float");
    private static final ClassDesc DOUBLE = ClassDesc.of("java.lang.Double");

    private final LaunchShape shape;
    private final Map<Integer, Integer> words = new HashMap<>();
    private final Map<Integer, Integer> scalars = new HashMap<>();

    /** Emits what fetches them from the array in a local variable. */
    LaunchLocals(CodeBuilder code, KernelCode kernel, LaunchShape shape, int launch) {
        this.shape = shape;
        TreeSet<Integer> needed = new TreeSet<>();
        needed.add(LaunchWords.SIZE_X);
        needed.add(LaunchWords.SIZE_Y);
        for (Block block : kernel.blocks()) for (Value value : block.values()) need(value, needed);
        for (int word : needed) {
            int local = code.allocateLocal(TypeKind.LONG);
            code.aload(launch).loadConstant(word).laload().lstore(local);
            words.put(word, local);
        }
        for (Parameter parameter : kernel.parameters()) if (!parameter.isView()) scalar(code, parameter, launch);
    }

    private void scalar(CodeBuilder code, Parameter parameter, int launch) {
        code.aload(launch).loadConstant(LaunchWords.of(parameter.index())).laload();
        TypeKind kind = kind(parameter.type());
        switch (parameter.type()) {
            case INT -> code.l2i();
            case FLOAT ->
                code.l2i()
                        .invokestatic(
                                FLOAT,
                                "intBitsToFloat",
                                MethodTypeDesc.of(ConstantDescs.CD_float, ConstantDescs.CD_int));
            case DOUBLE ->
                code.invokestatic(
                        DOUBLE, "longBitsToDouble", MethodTypeDesc.of(ConstantDescs.CD_double, ConstantDescs.CD_long));
            default -> {
                // A long is its own word.
            }
        }
        int local = code.allocateLocal(kind);
        code.storeLocal(kind, local);
        scalars.put(parameter.index(), local);
    }

    static TypeKind kind(ValueType type) {
        return switch (type) {
            case LONG -> TypeKind.LONG;
            case FLOAT -> TypeKind.FLOAT;
            case DOUBLE -> TypeKind.DOUBLE;
            default -> TypeKind.INT;
        };
    }

    private void need(Value value, Set<Integer> needed) {
        switch (value.operation()) {
            case LOAD, STORE -> {
                int group = LaunchWords.of(value.operand(0).parameter().index());
                needed.add(group + LaunchWords.ADDRESS);
                if (shape.isFlat(value)) {
                    needed.add(group + LaunchWords.FLAT);
                    return;
                }
                for (int k = 0; k < value.indices().size(); k++) {
                    needed.add(group + LaunchWords.STRIDES + k);
                    needed.add(group + LaunchWords.EXTENTS + k);
                }
            }
            case QUERY -> {
                int word = word(value);
                if (word >= 0) needed.add(word);
            }
            default -> {
                // Needs nothing of the launch.
            }
        }
    }

    /** The word that answers a query; -1 where the answer is always 1, and -2 where it is the number of dimensions. */
    private int word(Value value) {
        Query query = value.attribute(Query.class);
        if (query.ofRange())
            return switch (query) {
                case SIZE_X -> LaunchWords.SIZE_X;
                case SIZE_Y -> LaunchWords.SIZE_Y;
                default -> LaunchWords.SIZE_Z;
            };
        int index = value.operand(0).parameter().index();
        int dimensions = shape.dimensions().get(index);
        int extents = LaunchWords.of(index) + LaunchWords.EXTENTS;
        return switch (query) {
            case COLUMNS -> dimensions < 1 ? -1 : extents + dimensions - 1;
            case ROWS -> dimensions < 2 ? -1 : extents + dimensions - 2;
            case PLANES -> dimensions < 3 ? -1 : extents + dimensions - 3;
            case LENGTH -> LaunchWords.of(index) + LaunchWords.LENGTH;
            case EXTENT_0 -> extents;
            case EXTENT_1 -> extents + 1;
            case EXTENT_2 -> extents + 2;
            default -> -2;
        };
    }

    int sizeX() {
        return local(LaunchWords.SIZE_X);
    }

    int sizeY() {
        return local(LaunchWords.SIZE_Y);
    }

    private int local(int word) {
        return Objects.requireNonNull(words.get(word));
    }

    void pushScalar(CodeBuilder code, Parameter parameter) {
        code.loadLocal(kind(parameter.type()), Objects.requireNonNull(scalars.get(parameter.index())));
    }

    void pushQuery(CodeBuilder code, Value query) {
        int word = word(query);
        if (word >= 0) code.lload(local(word));
        else if (word == -1) code.lconst_1();
        else
            code.loadConstant(
                    (int) shape.dimensions().get(query.operand(0).parameter().index()));
    }

    /** Pushes a word of the view that an access goes to. */
    void push(CodeBuilder code, Value access, int word) {
        code.lload(local(LaunchWords.of(access.array().parameter().index()) + word));
    }

    /** Whether a view must have as many dimensions as an access gives indices, and has not. */
    boolean alwaysFails(Value access) {
        int indices = access.indices().size();
        return indices != shape.dimensions(access) && indices != 1;
    }

    /** Whether a launch's answers can be had for all of a kernel's questions: those for missing dimensions fail in Java. */
    static boolean answersAll(KernelCode kernel, LaunchShape shape) {
        for (Block block : kernel.blocks())
            for (Value value : block.values()) {
                if (value.operation() != Operation.QUERY || value.operands().isEmpty()) continue;
                int dimension = switch (value.attribute(Query.class)) {
                    case EXTENT_0 -> 0;
                    case EXTENT_1 -> 1;
                    case EXTENT_2 -> 2;
                    default -> -1;
                };
                if (dimension
                        >= shape.dimensions().get(value.operand(0).parameter().index())) return false;
            }
        return true;
    }
}

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
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/** The words of a launch that a kernel needs, as local variables of its loop. */
final class LaunchLocals {
    private static final ClassDesc FLOAT = ClassDesc.of("java.lang.Float");
    private static final ClassDesc DOUBLE = ClassDesc.of("java.lang.Double");

    private final LaunchShape shape;
    private final List<Value> shared;
    private final int parameters;
    private final int scratch;
    private final Map<Integer, Integer> words = new HashMap<>();
    private final Map<Integer, Integer> scalars = new HashMap<>();

    /** Emits what fetches them from the array in a local variable; another has the address of scratch memory. */
    LaunchLocals(CodeBuilder code, KernelCode kernel, LaunchShape shape, int launch, int scratch) {
        this.shape = shape;
        this.scratch = scratch;
        shared = kernel.localArrays();
        parameters = kernel.parameters().size();
        TreeSet<Integer> needed = new TreeSet<>(List.of(LaunchWords.SIZE_X, LaunchWords.SIZE_Y, LaunchWords.SIZE_Z));
        if (kernel.seesGroups())
            needed.addAll(List.of(LaunchWords.GROUP_X, LaunchWords.GROUP_X + 1, LaunchWords.GROUP_X + 2));
        else needed.add(LaunchWords.REPEATS);
        if (kernel.uses(Operation.PRIVATE_ARRAY)) needed.add(LaunchWords.OWN);
        if (kernel.uses(Operation.BARRIER)) needed.add(LaunchWords.STATE);
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
            case LOAD, STORE, ATOMIC -> {
                if (value.array().operation() == Operation.PRIVATE_ARRAY) return;
                int group = group(value);
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

    /** Where the words of an access's array begin. */
    private int group(Value access) {
        Value array = access.array();
        return LaunchWords.of(
                array.operation() == Operation.LOCAL_ARRAY
                        ? parameters + shared.indexOf(array)
                        : array.parameter().index());
    }

    /**
     * The word that answers a query; -1 where the answer is always 1, -2 where it is the number
     * of dimensions, and -3 to -5 where it is the number of groups along x, y or z.
     */
    private int word(Value value) {
        Query query = value.attribute(Query.class);
        if (query.ofRange())
            return switch (query) {
                case SIZE_X -> LaunchWords.SIZE_X;
                case SIZE_Y -> LaunchWords.SIZE_Y;
                case SIZE_Z -> LaunchWords.SIZE_Z;
                case GROUP_SIZE_X -> LaunchWords.GROUP_X;
                case GROUP_SIZE_Y -> LaunchWords.GROUP_X + 1;
                case GROUP_SIZE_Z -> LaunchWords.GROUP_X + 2;
                case GROUPS_X -> -3;
                case GROUPS_Y -> -4;
                default -> -5;
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

    /** The local variable that tells, by 1 or 0, whether items of the launch may run twice. */
    int repeats() {
        return local(LaunchWords.REPEATS);
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
        else if (word <= -3) pushGroups(code, -3 - word);
        else
            code.loadConstant(
                    (int) shape.dimensions().get(query.operand(0).parameter().index()));
    }

    /** Pushes how many groups there are along a dimension: x is 0. */
    void pushGroups(CodeBuilder code, int dimension) {
        code.lload(local(LaunchWords.SIZE_X + dimension)).lload(local(LaunchWords.GROUP_X + dimension));
        code.invokestatic(
                ClassDesc.of("java.lang.Math"),
                "ceilDiv",
                MethodTypeDesc.of(ConstantDescs.CD_long, ConstantDescs.CD_long, ConstantDescs.CD_long));
    }

    /** The local variable of the number of items in a group along a dimension. */
    int group(int dimension) {
        return local(LaunchWords.GROUP_X + dimension);
    }

    /** The local variable of the number of items in the range along a dimension. */
    int size(int dimension) {
        return local(LaunchWords.SIZE_X + dimension);
    }

    /** Pushes where a part of scratch memory begins, by the word that says so. */
    void pushScratch(CodeBuilder code, int word) {
        code.lload(scratch).lload(local(word)).ladd();
    }

    /** Pushes where the first element of an access's array lies. */
    void pushBegin(CodeBuilder code, Value access) {
        push(code, access, LaunchWords.ADDRESS);
        if (access.array().operation() == Operation.LOCAL_ARRAY)
            code.lload(scratch).ladd();
    }

    /** Pushes a word of the view that an access goes to. */
    void push(CodeBuilder code, Value access, int word) {
        code.lload(local(group(access) + word));
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

package io.penstock.kernel.jvm;

import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;

import io.penstock.kernel.ir.Block;
import io.penstock.kernel.ir.Edge;
import io.penstock.kernel.ir.Operation;
import io.penstock.kernel.ir.Value;
import io.penstock.kernel.ir.ValueType;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The values of {@link VectorItem} in local variables: vectors, or the number of the first lane. */
final class VectorValues {
    private static final ClassDesc LONG = ClassDesc.of("java.lang.Long");

    private final CodeBuilder code;
    private final VectorPlan plan;
    private final LaunchLocals locals;
    private final Faults faults;
    private final Accesses accesses;
    private final VectorItem item;
    private final VectorOps vectors;
    private final int scratch;
    private final int bits;
    private final int lane;
    private final int[] position;
    private final int[] slots;
    private final Map<ValueType, Integer> zeros = new EnumMap<>(ValueType.class);
    private final int blend;

    VectorValues(
            CodeBuilder code,
            VectorPlan plan,
            LaunchLocals locals,
            Faults faults,
            Accesses accesses,
            VectorItem item,
            int[] position,
            int scratch) {
        this.code = code;
        this.plan = plan;
        this.locals = locals;
        this.faults = faults;
        this.accesses = accesses;
        this.item = item;
        this.position = position;
        vectors = new VectorOps(code, plan.lanes());
        this.scratch = scratch;
        bits = code.allocateLocal(TypeKind.LONG);
        lane = code.allocateLocal(TypeKind.INT);
        slots = new int[plan.code().values()];
        blend = code.allocateLocal(TypeKind.LONG);
    }

    /**
     * Sets up the local variables of a block's values.
     *
     * @param cleared whether they begin as zeros, as they must where some way may leave them out
     */
    void allocate(Block block, boolean cleared) {
        for (Value value : block.parameters()) allocate(value, cleared);
        for (Value value : block.values()) allocate(value, cleared);
    }

    private void allocate(Value value, boolean cleared) {
        if (!value.type().isNumber() || value.operation() == Operation.PARAMETER) return;
        boolean vector = plan.isVector(value);
        TypeKind kind = vector ? TypeKind.REFERENCE : LaunchLocals.kind(value.type());
        int slot = code.allocateLocal(kind);
        slots[value.number()] = slot;
        if (!cleared) return;
        if (vector) {
            // One vector of zeros a type: the JVM's first compiler gives up where there are too many calls.
            Integer zero = zeros.get(value.type());
            if (zero == null) {
                zero = code.allocateLocal(TypeKind.REFERENCE);
                zeros.put(value.type(), zero);
                vectors.zero(value.type());
                code.astore(zero);
            }
            code.aload(zero);
        } else {
            switch (value.type()) {
                case LONG -> code.lconst_0();
                case FLOAT -> code.fconst_0();
                case DOUBLE -> code.dconst_0();
                default -> code.iconst_0();
            }
        }
        code.storeLocal(kind, slot);
    }

    /** Pushes the first lane's number. */
    void pushScalar(Value value) {
        switch (value.operation()) {
            case CONSTANT -> ScalarOps.constant(code, value);
            case PARAMETER -> locals.pushScalar(code, value.parameter());
            default -> code.loadLocal(LaunchLocals.kind(value.type()), slots[value.number()]);
        }
    }

    /** Pushes the last lane's number of a long that grows by a constant from lane to lane. */
    void pushLast(Value value) {
        pushScalar(value);
        long step = plan.variation().step(value);
        if (step != 0) code.loadConstant((plan.lanes() - 1) * step).ladd();
    }

    /** Pushes all lanes as a vector of the value's type. */
    void pushVector(Value value) {
        if (plan.isVector(value)) {
            code.aload(slots[value.number()]);
            return;
        }
        if (VectorPlan.isWidened(value) && plan.variation().varies(value))
            throw new IllegalStateException(value + " is used as a vector of longs, which it was not planned to be");
        vectors.broadcast(value.type(), () -> pushScalar(value));
        long step = plan.variation().step(value);
        if (step != 0) vectors.addIndex(value.type(), (int) step);
    }

    /** Pushes all lanes of a value, as ints if it is a long that ints can hold and so asked for. */
    private void pushVector(Value value, ValueType type) {
        if (value.type() == type) {
            pushVector(value);
        } else if (value.operation() == Operation.CONSTANT) {
            int number = value.attribute(Number.class).intValue();
            vectors.broadcast(type, () -> code.loadConstant(number));
        } else if (VectorPlan.isWidened(value)) {
            pushVector(value.operand(0));
        } else {
            vectors.broadcast(type, () -> {
                pushScalar(value);
                code.l2i();
            });
            long step = plan.variation().step(value);
            if (step != 0) vectors.addIndex(type, (int) step);
        }
    }

    /** Pushes the bits of the lanes where a condition holds; those of lanes without an item may be anything. */
    void pushBits(Value condition) {
        if (plan.variation().isUniform(condition)) {
            Label otherwise = code.newLabel();
            Label done = code.newLabel();
            ScalarOps.jumpUnless(code, condition, this::pushScalar, otherwise);
            code.loadConstant(plan.all()).goto_(done);
            code.labelBinding(otherwise);
            code.lconst_0();
            code.labelBinding(done);
            return;
        }
        ValueType type = plan.comparedAs(condition);
        vectors.compare(
                condition.operation(),
                type,
                () -> pushVector(condition.operand(0), type),
                () -> pushVector(condition.operand(1), type));
    }

    /**
     * Gives the parameters of an edge's target their values, all at once, through the stack.
     *
     * @param mask the lanes that come along this edge where others have come or will; -1 if no other's values may be lost
     * @param coming the lanes that come along this edge; -1 for all
     */
    void set(Edge edge, int mask, int coming) {
        List<Value> parameters = edge.target().parameters();
        for (int k = 0; k < parameters.size(); k++) {
            Value parameter = parameters.get(k);
            Value argument = edge.arguments().get(k);
            if (!plan.isVector(parameter)) {
                pushScalar(argument);
                continue;
            }
            int blended = mask >= 0 ? mask : plan.variation().isLasting(parameter) ? coming : -1;
            if (blended >= 0) pushVector(parameter);
            pushVector(argument);
            if (blended >= 0) vectors.blend(parameter.type(), blended);
        }
        for (Value parameter : parameters.reversed()) store(parameter);
    }

    private void store(Value value) {
        code.storeLocal(
                plan.isVector(value) ? TypeKind.REFERENCE : LaunchLocals.kind(value.type()), slots[value.number()]);
    }

    /**
     * Emits a value of a block.
     *
     * @param active the lanes that pass the block; -1 for all
     * @param kept whether lanes that do not pass it now keep what they have
     */
    void compute(Value value, int active, boolean kept) {
        if (value.operation() == Operation.PARAMETER || value.type() == ValueType.CONDITION) return;
        if (value.operation() == Operation.STORE) {
            if (plan.isLaneByLane(value)) laneByLane(value, active);
            else storeVector(value, active);
            return;
        }
        if (value.operation() == Operation.FAIL) {
            fail(value, active);
            return;
        }
        if (!plan.isVector(value)) {
            if (plan.variation().varies(value)) return;
            scalar(value, active);
        } else {
            if (kept) code.aload(slots[value.number()]);
            vector(value, active);
            if (kept) vectors.blend(value.type(), active);
        }
        store(value);
    }

    /** Lets the first active item fail. */
    private void fail(Value value, int active) {
        item.pushActive(active);
        code.lstore(bits);
        new LaneLoop(code, item, plan, vectors, scratch, bits, lane).emitFirst(value, accesses);
    }

    private void laneByLane(Value value, int active) {
        new LaneLoop(code, item, plan, vectors, scratch, bits, lane).emit(value, active, accesses);
    }

    /** Pushes the index along x of the first active item. */
    private void pushFirst(int active) {
        code.lload(position[0]);
        if (active < 0) return;
        code.lload(active).invokestatic(LONG, "numberOfTrailingZeros", MethodTypeDesc.of(CD_int, CD_long));
        code.i2l().ladd();
    }

    private void scalar(Value value, int active) {
        switch (value.operation()) {
            case ITEM_X -> code.lload(position[0]);
            case ITEM_Y -> code.lload(position[1]);
            case ITEM_Z -> code.lload(position[2]);
            case QUERY -> locals.pushQuery(code, value);
            case LOAD -> accesses.load(value, this::pushScalar, () -> pushFirst(active));
            default -> {
                accesses.checkDivisor(value, this::pushScalar, () -> pushFirst(active));
                ScalarOps.compute(code, value, this::pushScalar);
            }
        }
    }

    private void vector(Value value, int active) {
        ValueType type = value.type();
        if (value.operation() == Operation.LOAD && plan.pattern(value) == VectorPlan.Pattern.CONTIGUOUS) {
            checkVector(value, active);
            vectors.load(Accesses.element(value), () -> accesses.pushAddress(value, this::pushScalar), active);
            return;
        }
        if (isSame(value)) {
            vectors.broadcast(type, () -> scalar(value, active));
            return;
        }
        if (plan.isLaneByLane(value)) {
            laneByLane(value, active);
            return;
        }
        switch (value.operation()) {
            case SELECT -> {
                pushBits(value.operand(0));
                code.lstore(blend);
                pushVector(value.operand(2));
                pushVector(value.operand(1));
                vectors.blend(type, blend);
            }
            case CONVERT -> {
                ValueType from = plan.convertedFrom(value);
                pushVector(value.operand(0), from);
                vectors.convert(from, type);
            }
            case BITS -> {
                pushVector(value.operand(0));
                vectors.bits(value.operand(0).type());
            }
            case TO_BYTE -> narrow(value, 24);
            case TO_SHORT -> narrow(value, 16);
            case TO_CHAR ->
                vectors.compute(
                        Operation.AND,
                        type,
                        () -> pushVector(value.operand(0)),
                        () -> vectors.broadcast(type, () -> code.loadConstant(0xffff)));
            case SHL, SHR, USHR ->
                vectors.compute(
                        value.operation(),
                        type,
                        () -> pushVector(value.operand(0)),
                        () -> pushDistance(value.operand(1), type));
            default -> {
                Runnable[] operands = value.operands().stream()
                        .map(operand -> (Runnable) () -> pushVector(operand))
                        .toArray(Runnable[]::new);
                vectors.compute(value.operation(), type, operands);
            }
        }
    }

    /** Whether a value may only be computed where some lane needs it: it is done once for all of them, and may fail. */
    boolean needsLanes(Value value) {
        if (value.operation() == Operation.FAIL) return true;
        if (!value.hasEffect() || value.operation() == Operation.STORE || plan.isLaneByLane(value)) return false;
        return !plan.isVector(value) || isSame(value);
    }

    /** Whether a value that is kept as a vector for the sake of what follows is the same in all lanes when computed. */
    private boolean isSame(Value value) {
        if (value.operation() == Operation.LOAD) return plan.pattern(value) == VectorPlan.Pattern.UNIFORM;
        for (Value operand : value.operands())
            if (operand.type() != ValueType.REFERENCE && !plan.variation().isUniform(operand)) return false;
        return true;
    }

    private void narrow(Value value, int bits) {
        vectors.compute(
                Operation.SHR,
                ValueType.INT,
                () -> vectors.compute(
                        Operation.SHL,
                        ValueType.INT,
                        () -> pushVector(value.operand(0)),
                        () -> vectors.broadcast(ValueType.INT, () -> code.loadConstant(bits))),
                () -> vectors.broadcast(ValueType.INT, () -> code.loadConstant(bits)));
    }

    private void pushDistance(Value distance, ValueType type) {
        pushVector(distance);
        vectors.convert(ValueType.INT, type);
    }

    private void storeVector(Value store, int active) {
        checkVector(store, active);
        pushVector(store.operands().getLast());
        vectors.store(Accesses.element(store), () -> accesses.pushAddress(store, this::pushScalar), active);
    }

    /**
     * Checks indices that grow by one from lane to lane: at once by the first and the last lane's, and if that fails, which
     * active lanes are outside.
     */
    private void checkVector(Value access, int active) {
        if (plan.shape().isInside(access)) return;
        Label inside = code.newLabel();
        Label slow = faults.behind(() -> {
            code.loadConstant(0L);
            code.loadConstant(-1L).lxor();
            Value last = access.indices().getLast();
            if (locals.alwaysFails(access)) {
                code.pop2().loadConstant(plan.all());
            } else {
                pushScalar(last);
                accesses.pushExtent(access, this::pushScalar);
                code.loadConstant(plan.lanes());
                code.invokestatic(Faults.FAULT, "inside", MethodTypeDesc.of(CD_long, CD_long, CD_long, CD_int));
                code.lxor();
            }
            item.pushActive(active);
            code.land().lstore(blend);
            code.lload(blend).lconst_0().lcmp().ifeq(inside);
            faults.fail(access, this::pushFailing, () -> pushFirst(blend));
        });
        if (locals.alwaysFails(access)) {
            code.iconst_0().ifeq(slow);
        } else {
            pushScalar(access.indices().getLast());
            accesses.pushExtent(access, this::pushScalar);
            accesses.compareUnsigned();
            code.ifge(slow);
            pushScalar(access.indices().getLast());
            code.loadConstant((long) plan.lanes() - 1).ladd();
            accesses.pushExtent(access, this::pushScalar);
            accesses.compareUnsigned();
            code.ifge(slow);
        }
        code.labelBinding(inside);
    }

    /** Pushes an index of the first lane that is outside. */
    private void pushFailing(Value index) {
        pushScalar(index);
        long step = plan.variation().step(index);
        if (step == 0) return;
        code.lload(blend).invokestatic(LONG, "numberOfTrailingZeros", MethodTypeDesc.of(CD_int, CD_long));
        code.i2l().loadConstant(step).lmul().ladd();
    }
}

package io.penstock.kernel;

import io.penstock.kernel.ir.Arithmetic;
import io.penstock.kernel.ir.Block;
import io.penstock.kernel.ir.Edge;
import io.penstock.kernel.ir.KernelCode;
import io.penstock.kernel.ir.LaunchConstant;
import io.penstock.kernel.ir.LocalArray;
import io.penstock.kernel.ir.Operation;
import io.penstock.kernel.ir.PrivateArray;
import io.penstock.kernel.ir.Terminator;
import io.penstock.kernel.ir.Thrown;
import io.penstock.kernel.ir.Value;
import io.penstock.runtime.Buffer;
import io.penstock.runtime.Device;
import io.penstock.runtime.MemoryKind;
import io.penstock.runtime.Scope;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Runs the intermediate form one value at a time, slowly and plainly: what compiled code is compared with. The items of a group
 * advance from barrier to barrier.
 */
final class Interpreter {
    /** Is told of every access to a view of the launch before it is made. */
    interface Observer {
        void access(Value access, int parameter, boolean write, long[] index);
    }

    private final KernelCode code;
    private final Object[] values;
    private final Range range;
    private final ViewSizes sizes;
    private final Observer observer;
    private final Map<Value, ElementView> shared = new HashMap<>();

    Interpreter(KernelCode code, Object[] values, Range range, Observer observer) {
        this.code = code;
        this.values = values;
        this.range = range;
        this.sizes = new ViewSizes(values, range);
        this.observer = observer;
    }

    static void run(KernelCode code, Object[] values, Range range) {
        run(code, values, range, 0, range.groups());
    }

    /**
     * Runs some groups, counted in C order.
     *
     * @throws ItemFailure when an item fails; items of its group and those behind may not have run
     */
    static void run(KernelCode code, Object[] values, Range range, long from, long to) {
        new Interpreter(code, values, range, (access, parameter, write, index) -> {}).groups(from, to);
    }

    void groups(long from, long to) {
        try (Scope scope = Scope.open()) {
            Objects.requireNonNull(scope);
            for (Value array : code.localArrays()) shared.put(array, share(array));
            for (long group = from; group < to; group++) group(group);
        }
    }

    private ElementView share(Value array) {
        long[] shape = localShape(array, sizes);
        int bytes = array.attribute(LocalArray.class).element().bytes();
        long length = Footprint.length(shape);
        Buffer buffer = Device.jvm().allocate(Math.multiplyExact(length, bytes), MemoryKind.HOST);
        return switch (array.attribute(LocalArray.class).element()) {
            case BYTE -> Bytes.of(buffer, shape);
            case INT -> Ints.of(buffer, shape);
            case LONG -> Longs.of(buffer, shape);
            case FLOAT -> Floats.of(buffer, shape);
            case DOUBLE -> Doubles.of(buffer, shape);
            case COMPLEX_FLOAT -> ComplexFloats.of(buffer, shape);
            case COMPLEX_DOUBLE -> ComplexDoubles.of(buffer, shape);
        };
    }

    /** The extents of an array that a group shares, in one launch. */
    static long[] localShape(Value array, ViewSizes sizes) {
        return array.operands().stream()
                .mapToLong(extent -> ((Number) LaunchConstant.evaluate(extent, sizes::value)).longValue())
                .toArray();
    }

    private void group(long number) {
        long groupX = number % range.groupsX();
        long groupY = number / range.groupsX() % range.groupsY();
        long groupZ = number / range.groupsX() / range.groupsY();
        GroupShape shape = range.group();
        List<Item> items = new ArrayList<>();
        for (long z = groupZ * shape.z(); z < Math.min(range.z(), (groupZ + 1) * shape.z()); z++)
            for (long y = groupY * shape.y(); y < Math.min(range.y(), (groupY + 1) * shape.y()); y++)
                for (long x = groupX * shape.x(); x < Math.min(range.x(), (groupX + 1) * shape.x()); x++)
                    items.add(new Item(x, y, z));
        while (!items.isEmpty()) {
            for (Item item : items) item.advance();
            Value barrier = items.getFirst().waitsAt;
            for (Item item : items)
                if (item.waitsAt != barrier)
                    throw new IllegalStateException("items of one group wait at different barriers in " + code);
            if (barrier == null) return;
        }
    }

    /** One item on its way through the code. */
    private final class Item {
        private final long x;
        private final long y;
        private final long z;
        private final Object[] known = new Object[code.values()];
        private Block block = code.blocks().getFirst();
        private int next;
        private @Nullable Value waitsAt;

        Item(long x, long y, long z) {
            this.x = x;
            this.y = y;
            this.z = z;
        }

        /** Runs to the next barrier, or to the end. */
        void advance() {
            try {
                waitsAt = null;
                while (waitsAt == null && step()) {
                    // Goes on in the next block.
                }
            } catch (RuntimeException e) {
                Value failed = block.values().get(Math.max(0, next - 1));
                throw new ItemFailure(e, failed.position(), x, y, z);
            }
        }

        /** Runs to the end of a block or to a barrier; false when the item is done. */
        private boolean step() {
            while (next < block.values().size()) {
                Value value = block.values().get(next++);
                if (value.operation() == Operation.BARRIER) {
                    waitsAt = value;
                    return true;
                }
                known[value.number()] = evaluate(value);
            }
            Edge way = switch (block.terminator()) {
                case Terminator.Return _ -> null;
                case Terminator.Jump(Edge edge) -> edge;
                case Terminator.Branch(Value condition, Edge yes, Edge no) -> (Boolean) get(condition) ? yes : no;
            };
            if (way == null) return false;
            Object[] arguments = way.arguments().stream().map(this::get).toArray();
            block = way.target();
            next = 0;
            for (int k = 0; k < arguments.length; k++)
                known[block.parameters().get(k).number()] = arguments[k];
            return true;
        }

        private Object get(Value value) {
            if (value.operation() == Operation.CONSTANT) return value.attribute(Object.class);
            return Objects.requireNonNull(known[value.number()], () -> value + " is not computed");
        }

        private List<Object> all(List<Value> operands) {
            return operands.stream().map(this::get).toList();
        }

        private Object evaluate(Value value) {
            GroupShape shape = range.group();
            return switch (value.operation()) {
                case PARAMETER -> scalar(values[value.parameter().index()]);
                case ITEM_X -> x;
                case ITEM_Y -> y;
                case ITEM_Z -> z;
                case LOCAL_X -> x % shape.x();
                case LOCAL_Y -> y % shape.y();
                case LOCAL_Z -> z % shape.z();
                case GROUP_X -> x / shape.x();
                case GROUP_Y -> y / shape.y();
                case GROUP_Z -> z / shape.z();
                case QUERY -> sizes.value(value);
                case LOCAL_ARRAY -> Objects.requireNonNull(shared.get(value));
                case PRIVATE_ARRAY -> zeros(value.attribute(PrivateArray.class));
                case LOAD, STORE, ATOMIC -> access(value);
                case FAIL ->
                    throw new ThrownByKernel(value.attribute(Thrown.class).with(all(value.operands())));
                default -> Arithmetic.evaluate(value, all(value.operands()));
            };
        }

        private Object access(Value access) {
            long[] index =
                    access.indices().stream().mapToLong(v -> (Long) get(v)).toArray();
            List<Object> given = all(access.operands()
                    .subList(1 + index.length, access.operands().size()));
            Object array = get(access.array());
            if (array instanceof Object[] own) return ofOwn(own, index[0], given);
            if (access.isGlobal())
                observer.access(
                        access, access.array().parameter().index(), access.operation() != Operation.LOAD, index);
            return switch (access.operation()) {
                case LOAD -> Elements.load((ElementView) array, index, access.attribute(Integer.class));
                case STORE ->
                    Elements.store((ElementView) array, index, access.attribute(Integer.class), given.getFirst());
                default -> Elements.change((ElementView) array, index, access, given);
            };
        }

        private static Object ofOwn(Object[] array, long index, List<Object> given) {
            if (index < 0 || index >= array.length) throw FailurePlace.outsideOwn(index, array.length);
            int at = (int) index;
            if (!given.isEmpty()) array[at] = given.getFirst();
            return array[at];
        }
    }

    private static Object[] zeros(PrivateArray array) {
        Object zero = switch (array.element()) {
            case LONG -> 0L;
            case FLOAT -> 0f;
            case DOUBLE -> 0d;
            default -> 0;
        };
        Object[] zeros = new Object[array.length()];
        java.util.Arrays.fill(zeros, zero);
        return zeros;
    }

    static Object scalar(Object given) {
        return switch (given) {
            case Byte b -> (int) b;
            case Short s -> (int) s;
            case Character c -> (int) c;
            case Boolean b -> b ? 1 : 0;
            default -> given;
        };
    }
}

package io.penstock.kernel;

import io.penstock.kernel.ir.Arithmetic;
import io.penstock.kernel.ir.Block;
import io.penstock.kernel.ir.Edge;
import io.penstock.kernel.ir.KernelCode;
import io.penstock.kernel.ir.Operation;
import io.penstock.kernel.ir.Query;
import io.penstock.kernel.ir.Terminator;
import io.penstock.kernel.ir.Value;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Runs the intermediate form one value at a time, slowly and plainly: what compiled code is compared with. */
final class Interpreter {
    /** Is told of every access before it is made. */
    interface Observer {
        void access(Value access, int parameter, boolean write, long[] index);
    }

    /** More blocks than an item of any test passes. */
    private static final int MOST_STEPS = 1_000_000;

    private final KernelCode code;
    private final Object[] values;
    private final Range range;
    private final Observer observer;
    private Map<Value, Object> known = new HashMap<>();

    Interpreter(KernelCode code, Object[] values, Range range, Observer observer) {
        this.code = code;
        this.values = values;
        this.range = range;
        this.observer = observer;
    }

    static void run(KernelCode code, Object[] values, Range range) {
        new Interpreter(code, values, range, (access, parameter, write, index) -> {}).all();
    }

    void all() {
        for (long z = 0; z < range.z(); z++)
            for (long y = 0; y < range.y(); y++) for (long x = 0; x < range.x(); x++) item(x, y, z);
    }

    private void item(long x, long y, long z) {
        known = new HashMap<>();
        Block block = code.blocks().getFirst();
        for (int steps = 0; ; steps++) {
            if (steps > MOST_STEPS) throw new IllegalStateException("item " + x + " does not end in " + code);
            for (Value value : block.values()) known.put(value, evaluate(value, x, y, z));
            Edge next = switch (block.terminator()) {
                case Terminator.Return _ -> null;
                case Terminator.Jump(Edge edge) -> edge;
                case Terminator.Branch(Value condition, Edge yes, Edge no) -> (Boolean) get(condition) ? yes : no;
            };
            if (next == null) return;
            List<Object> arguments = next.arguments().stream().map(this::get).toList();
            block = next.target();
            for (int k = 0; k < arguments.size(); k++)
                known.put(block.parameters().get(k), arguments.get(k));
        }
    }

    private Object get(Value value) {
        if (value.operation() == Operation.CONSTANT) return value.attribute(Object.class);
        return Objects.requireNonNull(known.get(value), () -> value + " is not computed");
    }

    private Object evaluate(Value value, long x, long y, long z) {
        return switch (value.operation()) {
            case PARAMETER -> scalar(values[value.parameter().index()]);
            case ITEM_X -> x;
            case ITEM_Y -> y;
            case ITEM_Z -> z;
            case QUERY -> query(value);
            case LOAD -> load(value);
            case STORE -> store(value);
            default ->
                Arithmetic.evaluate(
                        value, value.operands().stream().map(this::get).toList());
        };
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

    private Object query(Value value) {
        Query query = value.attribute(Query.class);
        if (query.ofRange())
            return switch (query) {
                case SIZE_X -> range.x();
                case SIZE_Y -> range.y();
                default -> range.z();
            };
        ElementView view = (ElementView) get(value.operand(0));
        return switch (query) {
            case COLUMNS -> view.columns();
            case ROWS -> view.rows();
            case PLANES -> view.planes();
            case LENGTH -> view.length();
            case DIMENSIONS -> view.dimensions();
            case EXTENT_0 -> view.extent(0);
            case EXTENT_1 -> view.extent(1);
            default -> view.extent(2);
        };
    }

    private long[] index(Value access) {
        long[] index = access.indices().stream().mapToLong(v -> (Long) get(v)).toArray();
        observer.access(access, access.operand(0).parameter().index(), access.operation() == Operation.STORE, index);
        return index;
    }

    private Object load(Value load) {
        long[] i = index(load);
        boolean im = load.attribute(Integer.class) == 1;
        return switch ((ElementView) get(load.operand(0))) {
            case Bytes v ->
                (int) (i.length == 1 ? v.get(i[0]) : i.length == 2 ? v.get(i[0], i[1]) : v.get(i[0], i[1], i[2]));
            case Ints v -> i.length == 1 ? v.get(i[0]) : i.length == 2 ? v.get(i[0], i[1]) : v.get(i[0], i[1], i[2]);
            case Longs v -> i.length == 1 ? v.get(i[0]) : i.length == 2 ? v.get(i[0], i[1]) : v.get(i[0], i[1], i[2]);
            case Floats v -> i.length == 1 ? v.get(i[0]) : i.length == 2 ? v.get(i[0], i[1]) : v.get(i[0], i[1], i[2]);
            case Doubles v -> i.length == 1 ? v.get(i[0]) : i.length == 2 ? v.get(i[0], i[1]) : v.get(i[0], i[1], i[2]);
            case ComplexFloats v -> im ? im(v, i) : re(v, i);
            case ComplexDoubles v -> im ? im(v, i) : re(v, i);
        };
    }

    private static float re(ComplexFloats v, long[] i) {
        return i.length == 1 ? v.getRe(i[0]) : i.length == 2 ? v.getRe(i[0], i[1]) : v.getRe(i[0], i[1], i[2]);
    }

    private static float im(ComplexFloats v, long[] i) {
        return i.length == 1 ? v.getIm(i[0]) : i.length == 2 ? v.getIm(i[0], i[1]) : v.getIm(i[0], i[1], i[2]);
    }

    private static double re(ComplexDoubles v, long[] i) {
        return i.length == 1 ? v.getRe(i[0]) : i.length == 2 ? v.getRe(i[0], i[1]) : v.getRe(i[0], i[1], i[2]);
    }

    private static double im(ComplexDoubles v, long[] i) {
        return i.length == 1 ? v.getIm(i[0]) : i.length == 2 ? v.getIm(i[0], i[1]) : v.getIm(i[0], i[1], i[2]);
    }

    private Object store(Value store) {
        long[] i = index(store);
        Object given = get(store.operands().getLast());
        boolean im = store.attribute(Integer.class) == 1;
        switch ((ElementView) get(store.operand(0))) {
            case Bytes v -> set(v, i, (byte) (int) (Integer) given);
            case Ints v -> set(v, i, (Integer) given);
            case Longs v -> set(v, i, (Long) given);
            case Floats v -> set(v, i, (Float) given);
            case Doubles v -> set(v, i, (Double) given);
            case ComplexFloats v -> set(v, i, im ? re(v, i) : (Float) given, im ? (Float) given : im(v, i));
            case ComplexDoubles v -> set(v, i, im ? re(v, i) : (Double) given, im ? (Double) given : im(v, i));
        }
        return given;
    }

    private static void set(Bytes v, long[] i, byte value) {
        if (i.length == 1) v.set(i[0], value);
        else if (i.length == 2) v.set(i[0], i[1], value);
        else v.set(i[0], i[1], i[2], value);
    }

    private static void set(Ints v, long[] i, int value) {
        if (i.length == 1) v.set(i[0], value);
        else if (i.length == 2) v.set(i[0], i[1], value);
        else v.set(i[0], i[1], i[2], value);
    }

    private static void set(Longs v, long[] i, long value) {
        if (i.length == 1) v.set(i[0], value);
        else if (i.length == 2) v.set(i[0], i[1], value);
        else v.set(i[0], i[1], i[2], value);
    }

    private static void set(Floats v, long[] i, float value) {
        if (i.length == 1) v.set(i[0], value);
        else if (i.length == 2) v.set(i[0], i[1], value);
        else v.set(i[0], i[1], i[2], value);
    }

    private static void set(Doubles v, long[] i, double value) {
        if (i.length == 1) v.set(i[0], value);
        else if (i.length == 2) v.set(i[0], i[1], value);
        else v.set(i[0], i[1], i[2], value);
    }

    private static void set(ComplexFloats v, long[] i, float re, float im) {
        if (i.length == 1) v.set(i[0], re, im);
        else if (i.length == 2) v.set(i[0], i[1], re, im);
        else v.set(i[0], i[1], i[2], re, im);
    }

    private static void set(ComplexDoubles v, long[] i, double re, double im) {
        if (i.length == 1) v.set(i[0], re, im);
        else if (i.length == 2) v.set(i[0], i[1], re, im);
        else v.set(i[0], i[1], i[2], re, im);
    }
}

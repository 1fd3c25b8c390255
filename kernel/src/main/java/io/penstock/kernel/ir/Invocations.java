package io.penstock.kernel.ir;

import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Calls in a kernel: of views and the work-item, of mathematical functions, and of static methods, which are inlined. */
final class Invocations {
    private static final String ITEM = "io/penstock/kernel/WorkItem";
    private static final String VIEW = "io/penstock/kernel/ElementView";
    private static final Map<String, Operation> OPERATIONS = Map.of(
            "min", Operation.MIN,
            "max", Operation.MAX,
            "abs", Operation.ABS,
            "sqrt", Operation.SQRT,
            "fma", Operation.FMA);
    private static final Set<String> FUNCTIONS = Set.of(
            "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp", "expm1", "log",
            "log10", "log1p", "pow", "cbrt", "hypot", "floor", "ceil", "rint");
    private static final Set<String> BIT_CASTS =
            Set.of("floatToRawIntBits", "intBitsToFloat", "doubleToRawLongBits", "longBitsToDouble");

    /** The elements of the views that the work-item gives of memory that its group shares, by the methods' names. */
    private static final Map<String, Element> LOCALS = Map.of(
            "localBytes", Element.BYTE,
            "localInts", Element.INT,
            "localLongs", Element.LONG,
            "localFloats", Element.FLOAT,
            "localDoubles", Element.DOUBLE,
            "localComplexFloats", Element.COMPLEX_FLOAT,
            "localComplexDoubles", Element.COMPLEX_DOUBLE);

    private final Emission emission;
    private final Construction construction;
    private final ArrayCode arrays;

    Invocations(Emission emission, Construction construction, ArrayCode arrays) {
        this.emission = emission;
        this.construction = construction;
        this.arrays = arrays;
    }

    /** Emits a call; what it returns is pushed. */
    void call(InvokeInstruction call, FrameState state) {
        String owner = call.owner().asInternalName();
        String name = call.name().stringValue();
        MethodTypeDesc type = call.typeSymbol();
        List<Value> arguments = state.pop(type.parameterCount());
        if (call.opcode() == Opcode.INVOKESTATIC) {
            Value result = callStatic(owner, name, type, arguments);
            if (result != null) state.push(result);
            return;
        }
        Value receiver = state.pop();
        if (receiver.operation() == Operation.NEW && name.equals("<init>")) {
            Value made = construction.construct(receiver, owner, type, arguments, this);
            if (made != null) state.replace(receiver, made);
            return;
        }
        Value result = callOn(receiver, owner, name, type, arguments);
        if (result != null) state.push(result);
    }

    private @Nullable Value callOn(
            Value receiver, String owner, String name, MethodTypeDesc type, List<Value> arguments) {
        if (receiver.operation() == Operation.ITEM && owner.equals(ITEM)) return ofItem(name, arguments);
        if (receiver.element() != null) {
            Value result = ofView(receiver, name, type, arguments);
            if (result != null) return result.type() == ValueType.NOTHING ? null : result;
        }
        if (Boxes.is(receiver)) {
            Value number = Boxes.give(emission, receiver, name, type);
            if (number != null) return number;
        } else if (receiver.operation() == Operation.RECORD) {
            List<Value> all = with(receiver, arguments);
            return inline(body(receiver.attribute(RecordShape.class).type(), name, type, false), all);
        }
        throw emission.refuse(
                "calls " + display(owner, name) + " on an object",
                "call static methods, records, views and the work-item, and pass numbers as arguments");
    }

    private @Nullable Value ofItem(String name, List<Value> arguments) {
        Element shared = LOCALS.get(name);
        if (shared != null) return arrays.local(shared, arguments);
        return switch (name) {
            case "barrier" -> {
                emission.add(Operation.BARRIER, ValueType.NOTHING);
                yield null;
            }
            case "localX" -> emission.add(Operation.LOCAL_X, ValueType.LONG);
            case "localY" -> emission.add(Operation.LOCAL_Y, ValueType.LONG);
            case "localZ" -> emission.add(Operation.LOCAL_Z, ValueType.LONG);
            case "groupX" -> emission.add(Operation.GROUP_X, ValueType.LONG);
            case "groupY" -> emission.add(Operation.GROUP_Y, ValueType.LONG);
            case "groupZ" -> emission.add(Operation.GROUP_Z, ValueType.LONG);
            case "x" -> emission.add(Operation.ITEM_X, ValueType.LONG);
            case "y" -> emission.add(Operation.ITEM_Y, ValueType.LONG);
            case "z" -> emission.add(Operation.ITEM_Z, ValueType.LONG);
            default -> {
                for (Query query : Query.values())
                    if (query.ofRange() && query.text().equals(name))
                        yield emission.add(Operation.QUERY, ValueType.LONG, query, List.of());
                throw emission.refuse("calls WorkItem." + name, "use its indices and sizes");
            }
        };
    }

    private @Nullable Value ofView(Value view, String name, MethodTypeDesc type, List<Value> arguments) {
        Element element = java.util.Objects.requireNonNull(view.element());
        for (Atomic atomic : Atomic.values())
            if (atomic.method().equals(name))
                return emission.add(Operation.ATOMIC, element.type(), atomic, with(view, arguments));
        return switch (name) {
            case "get", "getRe", "getIm" ->
                emission.add(Operation.LOAD, element.type(), name.equals("getIm") ? 1 : 0, with(view, arguments));
            case "set" -> set(view, element, type.parameterCount() - element.parts(), arguments);
            case "extent" -> {
                Value dimension = arguments.getFirst();
                Query extent = dimension.isConstant() ? Query.extent(dimension.attribute(Integer.class)) : null;
                if (extent != null) yield query(view, extent, ValueType.LONG);
                throw emission.refuse(
                        "asks for the extent of a computed dimension", "write extent(0), extent(1) or extent(2)");
            }
            case "atomicCompareAndSet" -> compareAndSet(view, element, arguments);
            default -> {
                for (Query query : Query.values())
                    if (!query.ofRange() && query.text().equals(name))
                        yield query(view, query, query == Query.DIMENSIONS ? ValueType.INT : ValueType.LONG);
                yield null;
            }
        };
    }

    private Value set(Value view, Element element, int indices, List<Value> arguments) {
        List<Value> first = with(view, arguments.subList(0, indices));
        first.add(arguments.get(indices));
        Value set = emission.add(Operation.STORE, ValueType.NOTHING, 0, first);
        if (element.parts() == 1) return set;
        List<Value> second = with(view, arguments.subList(0, indices));
        second.add(arguments.get(indices + 1));
        return emission.add(Operation.STORE, ValueType.NOTHING, 1, second);
    }

    /** Whether the element was what was expected: what the exchange gives is, then and only then. */
    private Value compareAndSet(Value view, Element element, List<Value> arguments) {
        Value was = emission.add(Operation.ATOMIC, element.type(), Atomic.COMPARE_EXCHANGE, with(view, arguments));
        Value expected = arguments.get(arguments.size() - 2);
        Value same = emission.add(Operation.EQ, ValueType.CONDITION, was, expected);
        return emission.add(
                Operation.SELECT,
                ValueType.INT,
                same,
                emission.constant(ValueType.INT, 1),
                emission.constant(ValueType.INT, 0));
    }

    private Value query(Value view, Query query, ValueType type) {
        if (view.operation() == Operation.LOCAL_ARRAY) {
            Value answer = arrays.ask(view, query);
            if (answer != null) return answer;
            throw emission.refuse(
                    "asks for an extent of a dimension that the view lacks",
                    "ask for extent(0) to extent(" + (view.operands().size() - 1) + ")");
        }
        return emission.add(Operation.QUERY, type, query, List.of(view));
    }

    private static List<Value> with(Value view, List<Value> rest) {
        List<Value> all = new ArrayList<>();
        all.add(view);
        all.addAll(rest);
        return all;
    }

    private @Nullable Value callStatic(String owner, String name, MethodTypeDesc type, List<Value> arguments) {
        ValueType result = FrameState.type(TypeKind.from(type.returnType()));
        boolean math = owner.equals("java/lang/Math");
        boolean strict = owner.equals("java/lang/StrictMath");
        if (math || strict) {
            Operation operation = OPERATIONS.get(name);
            if (operation != null) return emission.add(operation, result, null, arguments);
            if (FUNCTIONS.contains(name))
                return emission.add(
                        Operation.MATH, result, new MathFunction(strict, name, arguments.size()), arguments);
        }
        if (BIT_CASTS.contains(name) && (owner.equals("java/lang/Float") || owner.equals("java/lang/Double")))
            return emission.add(Operation.BITS, result, null, arguments);
        if (name.equals("valueOf") && owner.startsWith("java/lang/"))
            throw emission.refuse("boxes a number", "use the primitive types int, long, float and double");
        return inline(body(owner, name, type, true), arguments);
    }

    /** The body of a method that is called. */
    MethodBody body(String owner, String name, MethodTypeDesc type, boolean isStatic) {
        MethodBody body = MethodBody.find(emission.classes(), owner, name, type.descriptorString());
        if (body == null || body.isStatic() != isStatic)
            throw emission.refuse(
                    "calls " + display(owner, name) + ", whose code is not there or native",
                    "call a method written in Java");
        return body;
    }

    /** Emits a method in place of its call; an object that it is called on is the first argument. */
    @Nullable
    Value inline(MethodBody body, List<Value> arguments) {
        if (emission.calls().contains(body.identity()))
            throw emission.refuse("calls " + body.display() + " recursively", "write a loop");
        Position caller = emission.position();
        emission.calls().add(body.identity());
        Value result = new MethodTranslator(emission, body, caller).translate(arguments);
        emission.calls().removeLast();
        emission.position(caller);
        return result;
    }

    private static String display(String owner, String name) {
        boolean view = owner.equals(VIEW) || Element.ofView(owner) != null;
        String type = view
                ? "the view's method"
                : ClassDesc.ofInternalName(owner).displayName().replace('$', '.') + ".";
        return type + (view ? " " : "") + name;
    }
}

package io.penstock.kernel.ir;

import java.lang.classfile.ClassModel;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.constant.ConstantDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Objects in a kernel, which exist in the front end only: records become the numbers that they hold, exceptions their messages. */
final class Construction {
    private final Emission emission;

    Construction(Emission emission) {
        this.emission = emission;
    }

    /** An object whose constructor is still to run. */
    Value create(String type) {
        if (RecordShape.find(emission.classes(), type) == null && !isThrowable(type))
            throw emission.refuse(
                    "creates an object of " + display(type),
                    "keep numbers in local variables or in a record of numbers, and results in views");
        return new Value(Operation.NEW, ValueType.REFERENCE, type, List.of(), emission.position());
    }

    private boolean isThrowable(String type) {
        String ancestor = type;
        for (int k = 0; k < 30 && !ancestor.equals("java/lang/Throwable"); k++) {
            ClassModel model = emission.classes().of(ancestor);
            if (model == null) return false;
            String above =
                    model.superclass().map(entry -> entry.asInternalName()).orElse(null);
            if (above == null) return false;
            ancestor = above;
        }
        return true;
    }

    /** What a constructor has made of an object; null where it is one that does nothing. */
    @Nullable
    Value construct(Value object, String owner, MethodTypeDesc type, List<Value> arguments, Invocations calls) {
        if (owner.equals("java/lang/Record")) return null;
        String made = object.attribute(String.class);
        RecordShape shape = RecordShape.find(emission.classes(), made);
        if (shape == null) return thrown(made, type, arguments);
        List<Value> all = new ArrayList<>(List.of(object));
        all.addAll(arguments);
        calls.inline(calls.body(owner, "<init>", type, false), all);
        Map<String, Value> fields = emission.fields(object);
        List<Value> components = new ArrayList<>();
        for (RecordShape.Component component : shape.components()) {
            Value value = fields.get(component.name());
            // A constructor that always throws assigns nothing, and what follows is never reached.
            if (value == null) return object;
            components.add(value);
        }
        return new Value(Operation.RECORD, ValueType.REFERENCE, shape, components, emission.position());
    }

    private Value thrown(String exception, MethodTypeDesc type, List<Value> arguments) {
        Text text = null;
        List<Value> numbers = List.of();
        if (!arguments.isEmpty()) {
            Value message = text(arguments.getFirst(), type.parameterType(0).descriptorString());
            text = message.attribute(Text.class).first(Thrown.MOST_NUMBERS);
            numbers = message.operands().subList(0, text.types().length());
        }
        return new Value(
                Operation.THROWN,
                ValueType.REFERENCE,
                new Thrown(exception.replace('/', '.'), text),
                numbers,
                emission.position());
    }

    /** A number or string as a string. */
    private Value text(Value value, String descriptor) {
        if (value.operation() == Operation.TEXT) return value;
        if (!value.type().isNumber())
            throw emission.refuse("puts an object into an exception", "give it a string, with numbers appended");
        return new Value(
                Operation.TEXT, ValueType.REFERENCE, new Text("\1", kind(value, descriptor)), List.of(value), null);
    }

    private static String kind(Value value, String descriptor) {
        return switch (value.type()) {
            case INT -> descriptor.equals("C") || descriptor.equals("Z") ? descriptor : "I";
            case LONG -> "J";
            case FLOAT -> "F";
            default -> "D";
        };
    }

    /** Strings and numbers one after another, as {@code +} has it. */
    Value concatenate(InvokeDynamicInstruction concatenation, List<Value> arguments) {
        List<ConstantDesc> constants = concatenation.bootstrapArgs();
        String recipe = (String) constants.getFirst();
        StringBuilder text = new StringBuilder();
        StringBuilder types = new StringBuilder();
        List<Value> numbers = new ArrayList<>();
        int argument = 0;
        int constant = 1;
        for (int k = 0; k < recipe.length(); k++) {
            char c = recipe.charAt(k);
            if (c == '\2') {
                text.append(constants.get(constant++));
            } else if (c == '\1') {
                Value part = text(
                        arguments.get(argument),
                        concatenation.typeSymbol().parameterType(argument).descriptorString());
                argument++;
                text.append(part.attribute(Text.class).recipe());
                types.append(part.attribute(Text.class).types());
                numbers.addAll(part.operands());
            } else {
                text.append(c);
            }
        }
        return new Value(
                Operation.TEXT,
                ValueType.REFERENCE,
                new Text(text.toString(), types.toString()),
                numbers,
                emission.position());
    }

    /** Ends the item with an exception. */
    void fail(Value exception) {
        if (exception.operation() != Operation.THROWN)
            throw emission.refuse("throws an exception that it has not created there", "write throw new ...");
        emission.add(Operation.FAIL, ValueType.NOTHING, exception.attribute(Thrown.class), exception.operands());
        emission.block().terminator(new Terminator.Return());
    }

    void field(FieldInstruction field, FrameState state) {
        switch (field.opcode()) {
            case GETFIELD -> state.push(get(state.pop(), field.name().stringValue()));
            case PUTFIELD -> {
                Value value = state.pop();
                Value object = state.pop();
                if (object.operation() != Operation.NEW) throw refuse(field);
                Value before = emission.fields(object).put(field.name().stringValue(), value);
                if (before != null)
                    throw emission.refuse(
                            "assigns a record's component in several places",
                            "assign it once, at the constructor's end");
            }
            case GETSTATIC -> {
                if (!field.name().equalsString("$assertionsDisabled")) throw refuse(field);
                state.push(emission.constant(
                        ValueType.INT,
                        emission.classes().assertions(field.owner().asInternalName()) ? 0 : 1));
            }
            default -> throw refuse(field);
        }
    }

    private Value get(Value object, String name) {
        if (object.operation() == Operation.RECORD)
            return object.operand(object.attribute(RecordShape.class).position(name));
        Value value =
                object.operation() == Operation.NEW ? emission.fields(object).get(name) : null;
        if (value != null) return value;
        throw emission.refuse("uses the field " + name, "pass its value as an argument");
    }

    private KernelRefusedException refuse(FieldInstruction field) {
        return emission.refuse("uses the field " + field.name().stringValue(), "pass its value as an argument");
    }

    static String display(String type) {
        return type.substring(type.lastIndexOf('/') + 1).replace('$', '.');
    }
}

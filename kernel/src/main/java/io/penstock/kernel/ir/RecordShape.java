package io.penstock.kernel.ir;

import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.lang.classfile.TypeKind;
import java.lang.classfile.attribute.RecordComponentInfo;
import java.lang.constant.ClassDesc;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The components of a record of numbers and of such records.
 *
 * @param type the internal name of its class
 * @param components what it holds, in order
 */
public record RecordShape(String type, List<Component> components) {
    /**
     * One component.
     *
     * @param type {@code REFERENCE} for a record
     * @param nested the shape of a record; null for a number
     */
    public record Component(
            String name, ValueType type, @Nullable RecordShape nested) {}

    /** A shape; the list is copied. */
    public RecordShape {
        components = List.copyOf(components);
    }

    /** The shape of a class; null when it is no record, or holds what is neither a number nor a record. */
    static @Nullable RecordShape find(ParsedClasses classes, String type) {
        return find(classes, type, new HashSet<>());
    }

    private static @Nullable RecordShape find(ParsedClasses classes, String type, Set<String> within) {
        ClassModel model = type.startsWith("[") || !within.add(type) ? null : classes.of(type);
        if (model == null) return null;
        var attribute = model.findAttribute(Attributes.record());
        if (attribute.isEmpty()) return null;
        List<Component> components = new ArrayList<>();
        for (RecordComponentInfo info : attribute.get().components()) {
            ClassDesc component = info.descriptorSymbol();
            String name = info.name().stringValue();
            if (component.isPrimitive()) {
                components.add(new Component(name, FrameState.type(TypeKind.from(component)), null));
                continue;
            }
            String descriptor = component.descriptorString();
            RecordShape nested = component.isArray()
                    ? null
                    : find(classes, descriptor.substring(1, descriptor.length() - 1), new HashSet<>(within));
            if (nested == null) return null;
            components.add(new Component(name, ValueType.REFERENCE, nested));
        }
        return new RecordShape(type, components);
    }

    /** The position of a component. */
    int position(String name) {
        for (int k = 0; k < components.size(); k++) if (components.get(k).name().equals(name)) return k;
        throw new IllegalArgumentException(type + " has no component " + name);
    }

    /** A record of that shape from the numbers that it holds in the end, in order. */
    Value of(Iterator<Value> numbers) {
        List<Value> operands = new ArrayList<>();
        for (Component component : components)
            operands.add(
                    component.nested() == null
                            ? numbers.next()
                            : component.nested().of(numbers));
        return new Value(Operation.RECORD, ValueType.REFERENCE, this, operands, null);
    }

    /** The types of the numbers that a record holds in the end, in order. */
    public List<ValueType> numbers() {
        List<ValueType> types = new ArrayList<>();
        for (Component component : components)
            if (component.nested() == null) types.add(component.type());
            else types.addAll(component.nested().numbers());
        return types;
    }

    /** A record whose numbers are new parameters of a block. */
    Value parametersOf(Block block, @Nullable Position position) {
        List<Value> numbers = new ArrayList<>();
        for (ValueType type : numbers()) numbers.add(new Value(Operation.PHI, type, null, List.of(), position));
        block.mutableParameters().addAll(numbers);
        return of(numbers.iterator());
    }

    /** The numbers that a value consists of: those of a record in order, or the value itself. */
    static List<Value> numbersOf(Value value) {
        if (value.operation() != Operation.RECORD) return List.of(value);
        List<Value> numbers = new ArrayList<>();
        for (Value operand : value.operands()) numbers.addAll(numbersOf(operand));
        return numbers;
    }
}

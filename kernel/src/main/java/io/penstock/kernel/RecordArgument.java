package io.penstock.kernel;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A record of numbers, and of such records, as the argument of a launch, which compiled kernels see as its numbers in order.
 *
 * @param type the record
 * @param construct makes one of its numbers
 * @param accessors what gives each component
 */
record RecordArgument(Class<?> type, MethodHandle construct, List<Accessor> accessors) {
    /** What gives a component of a record: a number, or a record whose own are given in turn. */
    private record Accessor(MethodHandle get, List<RecordArgument> nested) {}

    /** Whether a type is a record that holds nothing but numbers in the end. */
    static boolean fits(Class<?> type) {
        return type.isRecord()
                && Arrays.stream(type.getRecordComponents())
                        .map(RecordComponent::getType)
                        .allMatch(component -> component.isPrimitive() || (component != type && fits(component)));
    }

    /**
     * A record as an argument.
     *
     * @param within a lookup whose module may look into the record's
     * @throws IllegalAccessException when it may not
     */
    static RecordArgument of(Class<?> type, MethodHandles.Lookup within) throws IllegalAccessException {
        MethodHandles.Lookup inside = MethodHandles.privateLookupIn(type, within);
        List<Accessor> accessors = new ArrayList<>();
        List<Class<?>> components = new ArrayList<>();
        for (RecordComponent component : type.getRecordComponents()) {
            List<RecordArgument> nested =
                    component.getType().isPrimitive() ? List.of() : List.of(of(component.getType(), within));
            // The field, since an accessor may give something else.
            MethodHandle get = inside.unreflectGetter(field(type, component));
            accessors.add(new Accessor(get.asType(MethodType.methodType(Object.class, Object.class)), nested));
            components.add(component.getType());
        }
        try {
            MethodHandle construct = inside.findConstructor(type, MethodType.methodType(void.class, components));
            for (int k = components.size() - 1; k >= 0; k--)
                for (RecordArgument nested : accessors.get(k).nested())
                    construct = MethodHandles.collectArguments(construct, k, nested.construct());
            return new RecordArgument(type, construct, accessors);
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(type + " lacks the constructor that every record has", e);
        }
    }

    private static Field field(Class<?> type, RecordComponent component) {
        try {
            return type.getDeclaredField(component.getName());
        } catch (NoSuchFieldException e) {
            throw new IllegalStateException(type + " lacks the field of its component " + component, e);
        }
    }

    /**
     * Appends the numbers of a record of this type.
     *
     * @throws IllegalArgumentException when its constructor makes another one of them
     */
    void append(Object given, List<Object> all) {
        List<Object> own = new ArrayList<>();
        numbers(given, own);
        Object again;
        try {
            again = construct.invokeWithArguments(own);
        } catch (Throwable e) {
            throw new IllegalArgumentException("the constructor of " + type.getName() + " fails on " + given, e);
        }
        if (!given.equals(again))
            throw new IllegalArgumentException("the constructor of " + type.getName() + " makes " + again
                    + " of the numbers of " + given + "; expected an equal record");
        all.addAll(own);
    }

    private void numbers(Object given, List<Object> all) {
        for (Accessor accessor : accessors) {
            Object component;
            try {
                component = accessor.get().invoke(given);
            } catch (Throwable e) {
                throw new IllegalArgumentException("the components of " + type.getName() + " cannot be read", e);
            }
            if (accessor.nested().isEmpty()) all.add(component);
            for (RecordArgument nested : accessor.nested()) nested.numbers(component, all);
        }
    }

    /** How many numbers it has. */
    int size() {
        return construct.type().parameterCount();
    }
}

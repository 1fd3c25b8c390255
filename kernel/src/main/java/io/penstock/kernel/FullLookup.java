package io.penstock.kernel;

import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Lookups that may add nestmates to classes of programs. One that crosses modules may not, and a program has a module of its own wherever it
 * has a loader of its own: single source files, JShell, notebooks, servers. There a class that is added to the program's package asks
 * from within.
 */
final class FullLookup {
    private static final MethodHandles.Lookup OWN = MethodHandles.lookup();
    private static final String NAME = "Penstock$Lookup";
    private static final String METHOD = "in";
    private static final MethodType TYPE = MethodType.methodType(MethodHandles.Lookup.class, Class.class);

    private FullLookup() {}

    /**
     * A lookup in a class with all that the class itself may do.
     *
     * @throws IllegalAccessException when the class is of a module that does not open its package
     */
    static MethodHandles.Lookup in(Class<?> target) throws IllegalAccessException {
        MethodHandles.Lookup near = MethodHandles.privateLookupIn(target, OWN);
        return near.hasFullPrivilegeAccess() ? near : fromWithin(near);
    }

    private static MethodHandles.Lookup fromWithin(MethodHandles.Lookup near) throws IllegalAccessException {
        try {
            MethodHandle in = near.findStatic(insider(near), METHOD, TYPE);
            return (MethodHandles.Lookup) in.invokeExact(near.lookupClass());
        } catch (IllegalAccessException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("no lookup in " + near.lookupClass().getName(), e);
        }
    }

    /** The class in the program's package. Looked for only once it was added, since a loader's parent may have one of that name. */
    private static Class<?> insider(MethodHandles.Lookup near) throws IllegalAccessException, ClassNotFoundException {
        String packageName = near.lookupClass().getPackageName();
        String name = packageName.isEmpty() ? NAME : packageName + '.' + NAME;
        try {
            return near.defineClass(code(ClassDesc.of(name)));
        } catch (LinkageError e) {
            return near.findClass(name);
        }
    }

    private static byte[] code(ClassDesc name) {
        ClassDesc handles = desc(MethodHandles.class);
        ClassDesc lookup = desc(MethodHandles.Lookup.class);
        ClassDesc type = desc(Class.class);
        return ClassFile.of()
                .build(
                        name,
                        builder -> builder.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SYNTHETIC)
                                .withMethodBody(
                                        METHOD,
                                        MethodTypeDesc.of(lookup, type),
                                        ClassFile.ACC_STATIC,
                                        code -> code.aload(0)
                                                .invokestatic(handles, "lookup", MethodTypeDesc.of(lookup))
                                                .invokestatic(
                                                        handles,
                                                        "privateLookupIn",
                                                        MethodTypeDesc.of(lookup, type, lookup))
                                                .areturn()));
    }

    private static ClassDesc desc(Class<?> type) {
        return type.describeConstable().orElseThrow();
    }
}

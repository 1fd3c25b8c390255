package io.penstock.kernel;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.lang.invoke.MethodHandleInfo;
import java.lang.invoke.MethodType;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * The class that the JVM made for one lambda expression or method reference: the way from an object of it to the method behind
 * it and the values it captured.
 */
final class LambdaSite {
    private static final ClassValue<LambdaSite> SITES = new ClassValue<>() {
        @Override
        protected LambdaSite computeValue(Class<?> type) {
            return new LambdaSite(type);
        }
    };
    private static final Object[] NOTHING = {};

    private final Class<?> type;
    private final @Nullable Method writeReplace;
    private volatile @Nullable Implementation implementation;
    private volatile @Nullable ElementFunction function;

    private LambdaSite(Class<?> type) {
        this.type = type;
        this.writeReplace = openWriteReplace(type);
    }

    private static @Nullable Method openWriteReplace(Class<?> type) {
        try {
            Method method = type.getDeclaredMethod("writeReplace");
            method.setAccessible(true);
            return method;
        } catch (NoSuchMethodException | InaccessibleObjectException e) {
            return null;
        }
    }

    /** The kernel that runs the method behind a lambda. */
    static Kernel kernel(KernelBody body) {
        return SITES.get(body.getClass()).resolve(body);
    }

    private Kernel resolve(KernelBody body) {
        Implementation known = implementation;
        if (known != null && known.captured() == 0) return new Kernel(body, known, NOTHING);
        SerializedLambda lambda = replacement(body);
        Object[] captured = new Object[lambda.getCapturedArgCount()];
        for (int k = 0; k < captured.length; k++) captured[k] = lambda.getCapturedArg(k);
        if (known == null) {
            known = implementation(lambda);
            implementation = known;
        }
        return new Kernel(body, known, captured);
    }

    private Implementation implementation(SerializedLambda lambda) {
        String name = lambda.getImplClass().replace('/', '.');
        if (lambda.getImplMethodKind() != MethodHandleInfo.REF_invokeStatic)
            throw new IllegalArgumentException("kernel " + name + "." + lambda.getImplMethodName()
                    + " is not static; expected a static method, or a lambda that does not use 'this' (copy the fields it"
                    + " needs to local variables)");
        ClassLoader loader = type.getClassLoader();
        try {
            return Implementation.of(
                    Class.forName(name, false, loader),
                    lambda.getImplMethodName(),
                    MethodType.fromMethodDescriptorString(lambda.getImplMethodSignature(), loader),
                    lambda.getCapturedArgCount(),
                    null,
                    Class.forName(lambda.getFunctionalInterfaceClass().replace('/', '.'), false, loader));
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException("the class " + name + " behind a kernel cannot be loaded", e);
        }
    }

    /** The first function of elements that was made of a lambda of this expression; null before. */
    static @Nullable ElementFunction function(MapBody body) {
        return SITES.get(body.getClass()).function;
    }

    static void remember(MapBody body, ElementFunction function) {
        SITES.get(body.getClass()).function = function;
    }

    /** What is known of the method behind a lambda, and what the lambda captured. */
    static SerializedLambda serialized(Serializable body) {
        return SITES.get(body.getClass()).replacement(body);
    }

    private SerializedLambda replacement(Serializable body) {
        try {
            Object replaced = writeReplace == null ? throughStream(body) : writeReplace.invoke(body);
            if (replaced instanceof SerializedLambda lambda) return lambda;
            throw new IllegalArgumentException(
                    "body is an object of " + type.getName() + "; expected a lambda or a reference to a static method");
        } catch (IOException | IllegalAccessException | InvocationTargetException e) {
            throw new IllegalArgumentException(
                    "the method behind a lambda of " + type.getName() + " cannot be found", e);
        }
    }

    /** Asks serialisation for the replacement, which may call what a module keeps from reflection; writes nothing. */
    private static @Nullable Object throughStream(Serializable body) throws IOException {
        try (Interceptor stream = new Interceptor()) {
            stream.writeObject(body);
            return stream.replaced;
        }
    }

    private static final class Interceptor extends ObjectOutputStream {
        private @Nullable Object replaced;

        Interceptor() throws IOException {
            super(OutputStream.nullOutputStream());
            enableReplaceObject(true);
        }

        @Override
        protected @Nullable Object replaceObject(Object object) {
            replaced = object;
            return null;
        }
    }
}

package io.penstock.kernel;

import java.lang.invoke.MethodHandleInfo;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.SerializedLambda;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The method behind a {@link MapBody}, and the kernels that apply it to elements.
 *
 * <p>Its parameters and its result are numbers, or records of a complex number's two parts. Elements of any type are converted to
 * the parameter's as by a cast in Java; unsigned bytes count from 0 to 255, a real number is a complex one without imaginary part,
 * and of a complex number a real parameter gets the real part. Results are converted to the type of the elements in the same
 * way; floating-point numbers saturate in unsigned bytes. For each combination of element types one kernel is compiled, on first use.
 */
public final class ElementFunction {
    private static final ClassValue<ConcurrentHashMap<String, Implementation>> KERNELS = new ClassValue<>() {
        @Override
        protected ConcurrentHashMap<String, Implementation> computeValue(Class<?> type) {
            return new ConcurrentHashMap<>();
        }
    };

    private final Site site;
    private final Object[] captured;

    /** What functions of one lambda expression have in common. */
    private record Site(
            Class<?> lambda,
            Class<?> declaring,
            String method,
            MethodType type,
            ConcurrentHashMap<MapTypes, Implementation> maps) {}

    private record MapTypes(Class<?> out, List<? extends Class<?>> in, int dimensions) {}

    private ElementFunction(Site site, Object[] captured) {
        this.site = site;
        this.captured = captured;
    }

    /**
     * The method behind a lambda or method reference.
     *
     * @throws IllegalArgumentException when it is an object of another class, not static, or captures what is not a number
     */
    public static ElementFunction of(MapBody body) {
        ElementFunction known = LambdaSite.function(body);
        if (known != null && known.captured.length == 0) return known;
        SerializedLambda lambda = LambdaSite.serialized(body);
        Site site = known != null ? known.site : site(body.getClass(), lambda);
        Object[] captured = new Object[lambda.getCapturedArgCount()];
        for (int k = 0; k < captured.length; k++) {
            captured[k] = lambda.getCapturedArg(k);
            if (captured[k] == null || !Scalars.isBox(captured[k].getClass()))
                throw new IllegalArgumentException("function " + name(lambda) + " captures "
                        + (captured[k] == null
                                ? "null"
                                : "a " + captured[k].getClass().getSimpleName())
                        + "; expected numbers only: give arrays as arguments, as NDArray.of makes them of Java's, and"
                        + " let the function take an element of each");
        }
        ElementFunction function = new ElementFunction(site, captured);
        if (known == null) LambdaSite.remember(body, function);
        return function;
    }

    private static String name(SerializedLambda lambda) {
        return lambda.getImplClass().replace('/', '.') + "." + lambda.getImplMethodName();
    }

    private static Site site(Class<?> body, SerializedLambda lambda) {
        if (lambda.getImplMethodKind() != MethodHandleInfo.REF_invokeStatic)
            throw new IllegalArgumentException("function " + name(lambda)
                    + " is not static; expected a static method, or a lambda that does not use 'this' (copy the fields it"
                    + " needs to local variables)");
        ClassLoader loader = body.getClassLoader();
        try {
            return new Site(
                    body,
                    Class.forName(lambda.getImplClass().replace('/', '.'), false, loader),
                    lambda.getImplMethodName(),
                    MethodType.fromMethodDescriptorString(lambda.getImplMethodSignature(), loader),
                    new ConcurrentHashMap<>());
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException("the class behind function " + name(lambda) + " cannot be loaded", e);
        }
    }

    /** The class of the lambda: functions that differ only in the numbers that they captured have one. */
    public Class<?> site() {
        return site.lambda;
    }

    Class<?> declaring() {
        return site.declaring;
    }

    String method() {
        return site.method;
    }

    MethodType type() {
        return site.type;
    }

    /** How many values the lambda captures; they are the first parameters. */
    int captures() {
        return captured.length;
    }

    /**
     * The kernel {@code out[i] = f(in1[i], in2[i], ...)}, to be launched over the elements of views of {@code dimensions} dimensions,
     * with the views as its arguments: {@code out} first.
     *
     * @param in for each of the function's parameters the type of a view, or that of a number that is the same for all elements: a
     *     primitive type, or a complex number's record, which the launch is given as two doubles
     */
    public Kernel map(Class<? extends ElementView> out, List<? extends Class<?>> in, int dimensions) {
        MapTypes types = new MapTypes(out, in, dimensions);
        Implementation known = site.maps.get(types);
        if (known == null) {
            String key = "map" + dimensions + signature(out, in);
            known = implementation(key, () -> MapCode.map(this, out, in, dimensions));
            site.maps.put(new MapTypes(out, List.copyOf(in), dimensions), known);
        }
        return new Kernel(Kernel.NO_BODY, known, captured);
    }

    /**
     * The kernel that combines values along the rows of matrices by this function, which takes what was combined so far and a
     * value; each row in as many pieces as {@code out} has columns.
     *
     * <p>Its arguments are {@code out}, the beginning as one number (two where it is complex), {@code jump}, {@code step} and
     * {@code count}, which are longs, and the views that are read. Piece {@code c} combines the beginning with the values at columns
     * {@code c * jump + k * step} for {@code k} from 0 to {@code count - 1}, in this order and without those beyond the row. It is to be
     * launched over (rows, pieces), or over (pieces, rows) where {@code rowsLast}.
     *
     * @param values makes the values of the elements; null for one view whose elements they are
     */
    public Kernel reduce(
            @Nullable ElementFunction values,
            Class<? extends ElementView> out,
            List<Class<? extends ElementView>> in,
            boolean rowsLast) {
        ElementFunction home = values == null || values.isPublic() ? this : values;
        String key = "reduce" + rowsLast + key() + (values == null ? "" : values.key()) + signature(out, in);
        return home.kernel(key, joined(values), () -> MapCode.reduce(home, values, this, out, in, rowsLast));
    }

    /**
     * The kernel of running combinations by this function along the rows of matrices, each row in pieces of one length.
     *
     * <p>Its arguments are {@code out}, {@code begin} with a beginning for each row and piece, {@code length}, a long, and the matrix
     * that is read. It is to be launched over (rows, pieces), or over (pieces, rows) where {@code rowsLast}.
     */
    public Kernel scan(
            Class<? extends ElementView> out,
            Class<? extends ElementView> begin,
            Class<? extends ElementView> in,
            boolean rowsLast) {
        String key = "scan" + rowsLast + key() + signature(out, List.of(begin, in));
        return kernel(key, captured, () -> MapCode.scan(this, out, begin, in, rowsLast));
    }

    private Object[] joined(@Nullable ElementFunction values) {
        if (values == null) return captured;
        Object[] both = Arrays.copyOf(values.captured, values.captured.length + captured.length);
        System.arraycopy(captured, 0, both, values.captured.length, captured.length);
        return both;
    }

    private String key() {
        return declaring().getName() + declaring().hashCode() + "." + method() + type();
    }

    /** Whether any class may call the function. */
    boolean isPublic() {
        try {
            return MethodHandles.publicLookup().findStatic(declaring(), method(), type()) != null;
        } catch (NoSuchMethodException | IllegalAccessException e) {
            return false;
        }
    }

    private static String signature(Class<?> out, List<? extends Class<?>> in) {
        StringBuilder text = new StringBuilder(" ").append(out.getSimpleName());
        for (Class<?> view : in) text.append(',').append(view.getSimpleName());
        return text.toString();
    }

    private interface Generator {
        MapCode generate();
    }

    private Kernel kernel(String key, Object[] values, Generator generator) {
        return new Kernel(Kernel.NO_BODY, implementation(key, generator), values);
    }

    private Implementation implementation(String key, Generator generator) {
        ConcurrentHashMap<String, Implementation> known = KERNELS.get(declaring());
        String full = method() + type().toMethodDescriptorString() + key;
        Implementation found = known.get(full);
        if (found != null) return found;
        MapCode code = generator.generate();
        return known.computeIfAbsent(full, k -> code.define());
    }

    /** The class and the method, such as {@code Example.wave}. */
    public String name() {
        return Implementation.name(declaring(), method());
    }
}

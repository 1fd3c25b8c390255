package io.penstock.kernel;

import io.penstock.runtime.Buffer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How elements lie in memory, but for where: their type, a shape and strides. Many views of one layout cost less to make than views
 * that are described anew. Immutable.
 */
public final class ViewLayout {
    /** Makes a view of one type of elements. */
    interface Maker {
        ElementView view(Buffer buffer, long offset, ViewLayout layout);
    }

    private final Maker maker;
    private final int bytes;
    private final long[] shape;
    private final long[] strides;
    private final long length;
    private final boolean flat;

    /** The lowest and the highest element, from that of index 0 in every dimension. */
    private final long lowest;

    private final long highest;
    /** Whether these two are known: they may be beyond 64 bits. */
    private final boolean bounded;

    /** Made when first asked for, by each launch. */
    private @Nullable List<Object> key;

    private ViewLayout(Maker maker, int bytes, long[] shape, long[] strides) {
        this.maker = maker;
        this.bytes = bytes;
        this.shape = shape.clone();
        this.strides = strides.clone();
        this.length = Footprint.length(shape);
        if (strides.length != shape.length)
            throw new IllegalArgumentException("strides " + Footprint.describe(strides) + " has " + strides.length
                    + " entries; expected " + shape.length + " for shape " + Footprint.describe(shape));
        this.flat = shape.length <= 1 || Footprint.isRowMajor(shape, strides);
        long low = 0;
        long high = 0;
        boolean known = true;
        try {
            for (int k = 0; k < shape.length && known && length > 0; k++) {
                long reach = Math.multiplyExact(strides[k], shape[k] - 1);
                if (reach < 0) low = Math.addExact(low, reach);
                else high = Math.addExact(high, reach);
            }
        } catch (ArithmeticException e) {
            known = false;
        }
        this.lowest = low;
        this.highest = high;
        this.bounded = known;
    }

    /**
     * The layout of the elements of a type of views.
     *
     * @param strides the distance between neighbours along each dimension, in elements; negative and zero allowed
     */
    public static ViewLayout of(Class<? extends ElementView> type, long[] shape, long[] strides) {
        if (type == Bytes.class) return new ViewLayout(Bytes::new, 1, shape, strides);
        if (type == Ints.class) return new ViewLayout(Ints::new, Integer.BYTES, shape, strides);
        if (type == Longs.class) return new ViewLayout(Longs::new, Long.BYTES, shape, strides);
        if (type == Floats.class) return new ViewLayout(Floats::new, Float.BYTES, shape, strides);
        if (type == Doubles.class) return new ViewLayout(Doubles::new, Double.BYTES, shape, strides);
        if (type == ComplexFloats.class) return new ViewLayout(ComplexFloats::new, 2 * Float.BYTES, shape, strides);
        if (type == ComplexDoubles.class) return new ViewLayout(ComplexDoubles::new, 2 * Double.BYTES, shape, strides);
        throw new IllegalArgumentException("type is " + type.getName() + "; expected a type of views such as Floats");
    }

    /**
     * The view of elements of a buffer that lie this way.
     *
     * @param offset where the element of index 0 in every dimension lies, in elements
     * @throws IndexOutOfBoundsException when an element lies outside the buffer
     */
    public ElementView view(Buffer buffer, long offset) {
        return maker.view(buffer, offset, this);
    }

    /** Checks that elements from an offset on lie within a buffer. */
    void check(Buffer buffer, long offset) {
        long elements = buffer.bytes() / bytes;
        boolean inside =
                bounded && offset >= -lowest && (length == 0 ? offset <= elements : offset <= elements - 1 - highest);
        if (!inside) Footprint.check(buffer.bytes(), bytes, offset, shape, strides);
    }

    int bytes() {
        return bytes;
    }

    /** The extents; not to be changed. */
    long[] shape() {
        return shape;
    }

    /** The distances between neighbours, in elements; not to be changed. */
    long[] strides() {
        return strides;
    }

    long length() {
        return length;
    }

    /** Whether one index reaches all elements. */
    boolean isFlat() {
        return flat;
    }

    /** What the elements that indices reach depend on, but for where the view begins. */
    List<Object> key() {
        List<Object> known = key;
        if (known == null)
            key = known = List.of(
                    Arrays.stream(shape).boxed().toList(),
                    Arrays.stream(strides).boxed().toList());
        return known;
    }
}

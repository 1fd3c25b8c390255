package io.penstock.operator;

import io.penstock.array.DType;
import io.penstock.array.Vector;
import io.penstock.array.VectorSpace;

/** Brings operators that are to be combined over the same spaces. */
final class Operands {
    private Operands() {}

    /** The operator with complex domain and range. */
    static <X extends Vector<X>, Y extends Vector<Y>> LinearOperator<X, Y> complex(LinearOperator<X, Y> a) {
        return isComplex(a.domain()) && isComplex(a.range()) ? a : a.complex();
    }

    static boolean isComplex(VectorSpace<?> space) {
        return space.dtype().isComplex();
    }

    /** The complex type of a space's precision. */
    static DType complexOf(VectorSpace<?> space) {
        DType type = space.dtype();
        if (type.isInteger())
            throw new IllegalArgumentException("the operator works on " + type
                    + ", which has no complex form; build it over F64 or a complex type");
        return type.complex();
    }

    /**
     * Requires two spaces to be one.
     *
     * @param what how the message names the first, such as "the domain of the second term"
     */
    static void requireSame(String what, VectorSpace<?> given, VectorSpace<?> expected) {
        if (given.equals(expected)) return;
        DType a = given.dtype();
        DType b = expected.dtype();
        String advice = a.real() != b.real() ? "; build both operators with one precision" : "";
        throw new IllegalArgumentException(what + " is " + given + "; expected " + expected + advice);
    }
}

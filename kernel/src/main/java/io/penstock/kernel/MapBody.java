package io.penstock.kernel;

import java.io.Serializable;

/**
 * A function of numbers as a lambda or a reference to a static method, to be applied to elements of arrays.
 *
 * <p>The interfaces are serialisable so that the method behind a lambda can be found; nothing is ever serialised.
 */
public interface MapBody extends Serializable {
    /** A function of one double. */
    @FunctionalInterface
    interface OfDouble extends MapBody {
        /** The function's value. */
        double apply(double a);
    }

    /** A function of two doubles. */
    @FunctionalInterface
    interface OfDoubles2 extends MapBody {
        /** The function's value. */
        double apply(double a, double b);
    }

    /** A function of three doubles. */
    @FunctionalInterface
    interface OfDoubles3 extends MapBody {
        /** The function's value. */
        double apply(double a, double b, double c);
    }

    /** A function of four doubles. */
    @FunctionalInterface
    interface OfDoubles4 extends MapBody {
        /** The function's value. */
        double apply(double a, double b, double c, double d);
    }

    /** A function of five doubles. */
    @FunctionalInterface
    interface OfDoubles5 extends MapBody {
        /** The function's value. */
        double apply(double a, double b, double c, double d, double e);
    }

    /** A function of one float. */
    @FunctionalInterface
    interface OfFloat extends MapBody {
        /** The function's value. */
        float apply(float a);
    }

    /** A function of two floats. */
    @FunctionalInterface
    interface OfFloats2 extends MapBody {
        /** The function's value. */
        float apply(float a, float b);
    }

    /** A function of three floats. */
    @FunctionalInterface
    interface OfFloats3 extends MapBody {
        /** The function's value. */
        float apply(float a, float b, float c);
    }

    /** A function of four floats. */
    @FunctionalInterface
    interface OfFloats4 extends MapBody {
        /** The function's value. */
        float apply(float a, float b, float c, float d);
    }

    /** A function of five floats. */
    @FunctionalInterface
    interface OfFloats5 extends MapBody {
        /** The function's value. */
        float apply(float a, float b, float c, float d, float e);
    }

    /** A function of one long. */
    @FunctionalInterface
    interface OfLong extends MapBody {
        /** The function's value. */
        long apply(long a);
    }

    /** A function of two longs. */
    @FunctionalInterface
    interface OfLongs2 extends MapBody {
        /** The function's value. */
        long apply(long a, long b);
    }

    /** A function of three longs. */
    @FunctionalInterface
    interface OfLongs3 extends MapBody {
        /** The function's value. */
        long apply(long a, long b, long c);
    }
}

package io.penstock.kernel.jvm;

import jdk.incubator.vector.VectorShape;

/** What the vectors of this machine can do, as far as the JVM uses them. */
final class Hardware {
    /** The bits of a vector; 0 where the JVM was started without the Vector API. */
    static final int VECTOR_BITS =
            ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent() ? Present.bits() : 0;

    /**
     * Whether loads and stores can leave out lanes. Without it the JVM may load whole vectors and drop what was not asked for,
     * beyond the end of the memory too.
     */
    static final boolean MASKED_MEMORY = VECTOR_BITS >= 512;

    private Hardware() {}

    /** Loaded only where there is a Vector API. */
    private static final class Present {
        static int bits() {
            return Math.min(512, VectorShape.preferredShape().vectorBitSize());
        }
    }
}

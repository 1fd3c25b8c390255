package io.penstock.array;

/**
 * The inner loops that this process uses: those of the Vector API where the JVM has it, else their plain Java twins. Chosen
 * once.
 */
record Provider(String name, RealLoops f32, RealLoops f64, TapLoops taps32, TapLoops taps64) {
    private static final System.Logger LOG = System.getLogger("io.penstock.array");

    /** The provider that was chosen. */
    static final Provider CHOSEN =
            choose(ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent());

    static Provider plain() {
        return new Provider("plain Java", new PlainF32(), new PlainF64(), new PlainTapsF32(), new PlainTapsF64());
    }

    static Provider choose(boolean vectorApi) {
        if (vectorApi)
            return new Provider(
                    "Vector API", new VectorF32(), new VectorF64(), new VectorTapsF32(), new VectorTapsF64());
        LOG.log(
                System.Logger.Level.WARNING,
                "the Vector API is not available, so array loops run in plain Java, several times slower;"
                        + " start java with --add-modules jdk.incubator.vector");
        return plain();
    }

    /** The loops for F32 or F64, or for the parts of a complex type. */
    RealLoops loops(DType dtype) {
        return switch (dtype.real()) {
            case F32 -> f32;
            case F64 -> f64;
            default -> throw new IllegalArgumentException("dtype is " + dtype + "; expected F32, F64, C64 or C128");
        };
    }

    TapLoops taps(DType dtype) {
        return switch (dtype) {
            case F32 -> taps32;
            case F64 -> taps64;
            default -> throw new IllegalArgumentException("real is " + dtype + "; expected F32 or F64");
        };
    }
}

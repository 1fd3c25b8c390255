package io.penstock.kernel;

import io.penstock.kernel.ir.ClassBytes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A class file as the compiler has found it.
 *
 * @param name the class's internal name
 * @param bytes how long it is; {@link #MISSING} when there was none
 * @param sum its {@link Checksum}
 * @param assertions whether it asserts, if the compiler has asked for that
 */
record ClassSum(String name, int bytes, long sum, Assertions assertions) {
    private static final int MISSING = -1;

    /** What the compiler has been told about the assertions of a class. */
    enum Assertions {
        NOT_ASKED,
        OFF,
        ON
    }

    static ClassSum of(String name, byte @Nullable [] file) {
        return file == null
                ? new ClassSum(name, MISSING, 0, Assertions.NOT_ASKED)
                : new ClassSum(name, file.length, Checksum.of(file), Assertions.NOT_ASKED);
    }

    ClassSum with(boolean asserts) {
        return new ClassSum(name, bytes, sum, asserts ? Assertions.ON : Assertions.OFF);
    }

    private boolean isAsIn(ClassBytes classes) {
        ClassSum now = of(name, classes.of(name));
        return equals(assertions == Assertions.NOT_ASKED ? now : now.with(classes.assertions(name)));
    }

    /** Whether all class files but one, of which all is known otherwise, are as they were. */
    static boolean allAsIn(ClassBytes classes, String known, List<ClassSum> sums) {
        for (ClassSum sum : sums) if (!sum.name.equals(known) && !sum.isAsIn(classes)) return false;
        return true;
    }
}

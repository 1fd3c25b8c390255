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
 */
record ClassSum(String name, int bytes, long sum) {
    private static final int MISSING = -1;

    static ClassSum of(String name, byte @Nullable [] file) {
        return file == null ? new ClassSum(name, MISSING, 0) : new ClassSum(name, file.length, Checksum.of(file));
    }

    /** Whether all class files but one, whose sum is known otherwise, are as they were. */
    static boolean allAsIn(ClassBytes classes, String known, List<ClassSum> sums) {
        for (ClassSum sum : sums)
            if (!sum.name.equals(known) && !sum.equals(of(sum.name, classes.of(sum.name)))) return false;
        return true;
    }
}

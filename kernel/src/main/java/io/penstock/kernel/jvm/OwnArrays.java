package io.penstock.kernel.jvm;

import io.penstock.kernel.ir.Block;
import io.penstock.kernel.ir.KernelCode;
import io.penstock.kernel.ir.Operation;
import io.penstock.kernel.ir.PrivateArray;
import io.penstock.kernel.ir.Value;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** Where the arrays of an item's own lie in its part of scratch memory. */
final class OwnArrays {
    private final Map<Value, Long> offsets = new HashMap<>();
    private final long bytes;

    OwnArrays(KernelCode code) {
        long next = 0;
        for (Block block : code.blocks())
            for (Value value : block.values())
                if (value.operation() == Operation.PRIVATE_ARRAY) {
                    offsets.put(value, next);
                    next += bytes(value);
                }
        bytes = next;
    }

    /** The bytes of an array, in whole longs. */
    static long bytes(Value array) {
        PrivateArray own = array.attribute(PrivateArray.class);
        return Math.ceilDiv((long) own.length() * own.element().bytes(), Long.BYTES) * Long.BYTES;
    }

    long offset(Value array) {
        return Objects.requireNonNull(offsets.get(array));
    }

    /** The bytes of one item's arrays. */
    long bytes() {
        return bytes;
    }
}

package io.penstock.kernel.jvm;

import io.penstock.kernel.ir.Block;
import io.penstock.kernel.ir.KernelCode;
import io.penstock.kernel.ir.Operation;
import io.penstock.kernel.ir.Value;
import java.util.BitSet;

/**
 * What decides whether an item may run twice without anybody seeing it: an item that reads nothing that it writes stores the same
 * again.
 *
 * @param possible whether there are launches of the kernel whose items may
 * @param loaded the parameters whose elements are read
 * @param stored the parameters whose elements are written
 */
public record Repetition(boolean possible, BitSet loaded, BitSet stored) {
    static Repetition of(KernelCode code) {
        BitSet loaded = new BitSet();
        BitSet stored = new BitSet();
        for (Block block : code.blocks())
            for (Value value : block.values()) {
                if (!value.isGlobal()) continue;
                int parameter = value.array().parameter().index();
                if (value.operation() == Operation.STORE) stored.set(parameter);
                else loaded.set(parameter);
            }
        boolean possible = !code.uses(Operation.ATOMIC) && !code.seesGroups() && !loaded.intersects(stored);
        return new Repetition(possible, loaded, stored);
    }
}

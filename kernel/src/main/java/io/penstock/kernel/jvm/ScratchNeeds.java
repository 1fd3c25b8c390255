package io.penstock.kernel.jvm;

import io.penstock.kernel.ir.KernelCode;
import io.penstock.kernel.ir.Value;
import java.util.List;

/**
 * What a kernel needs of scratch memory, whatever the launch.
 *
 * @param shared the arrays that a group shares
 * @param own the bytes of items' own arrays
 * @param state the bytes in which items keep numbers over barriers
 */
public record ScratchNeeds(List<Value> shared, long own, long state) {
    /** The needs of a kernel. */
    public static ScratchNeeds of(KernelCode code) {
        return new ScratchNeeds(
                code.localArrays(),
                new OwnArrays(code).bytes() * (code.seesGroups() ? GroupItems.MOST_ITEMS : 1),
                GroupItems.bytes(code));
    }
}

package io.penstock.kernel.jvm;

import io.penstock.kernel.ir.KernelCode;
import io.penstock.kernel.ir.Value;
import java.util.List;

/**
 * What a kernel needs of a launch's numbers, whatever the launch.
 *
 * @param shared the arrays that a group shares
 * @param own the bytes of items' own arrays
 * @param state the bytes in which items keep numbers over barriers
 * @param repetition what would show that an item ran twice
 */
public record LaunchNeeds(List<Value> shared, long own, long state, Repetition repetition) {
    /** The needs of a kernel. */
    public static LaunchNeeds of(KernelCode code) {
        return new LaunchNeeds(
                code.localArrays(),
                new OwnArrays(code).bytes() * (code.seesGroups() ? GroupItems.MOST_ITEMS : 1),
                GroupItems.bytes(code),
                Repetition.of(code));
    }
}

package io.penstock.runtime;

import java.util.List;

/** An entry of a program that is loaded on a device. Immutable; for any thread. */
public interface DeviceFunction {
    /** The most items that a group can have when it runs this function. */
    int mostGroupItems();

    /**
     * How many items a group should have for as many as possible to run at a time: as usual, unless by another size at least a quarter
     * more run. May ask the driver.
     *
     * @param usual what is best of sizes by which equally many run, a power of two
     * @param groupBytes the memory that the items of a group share
     * @return at most {@link #mostGroupItems}
     */
    int goodGroupItems(int usual, long groupBytes);

    /**
     * A launch of this function with its arguments, ready to be issued any number of times.
     *
     * @param groups how many groups there are along x, y and z, each at least 1
     * @param groupItems how many items a group has along x, y and z, each at least 1
     * @param groupBytes the memory that the items of a group share; where the language passes it as an argument, a
     *     {@link DeviceArgument.Shared} stands for it
     * @param failures reads what an item records when it fails; see {@link DeviceArgument.Failure}
     * @throws IllegalArgumentException naming the size that the device cannot have
     */
    DeviceLaunch bind(
            long[] groups, int[] groupItems, long groupBytes, List<DeviceArgument> arguments, FailureReader failures);
}

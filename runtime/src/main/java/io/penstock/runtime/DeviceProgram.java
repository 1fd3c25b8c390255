package io.penstock.runtime;

/** A program that is loaded on a device. Immutable; for any thread. */
public interface DeviceProgram {
    /**
     * One of its entries.
     *
     * @throws IllegalArgumentException when there is none of that name
     */
    DeviceFunction function(String name);
}

package io.penstock.runtime;

/** A device that runs programs in a language of its own, compiled by its driver. */
public interface CompilingDevice extends Device {
    /** The device's compiler. */
    DeviceCode code();
}

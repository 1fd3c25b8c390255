package io.penstock.runtime;

/** Where the bytes of a {@link Buffer} live, and who may touch them. */
public enum MemoryKind {
    /** Ordinary host memory outside the Java heap, 64-byte aligned, over huge pages where the system has them. */
    HOST,
    /** Host memory that a device's copy engine reaches: the host and the device's driver may touch it. For staging. */
    PINNED,
    /** The device's own memory, which the host cannot address. */
    DEVICE,
    /** Memory that the host and all devices of a driver address alike; the driver moves it. */
    UNIFIED
}

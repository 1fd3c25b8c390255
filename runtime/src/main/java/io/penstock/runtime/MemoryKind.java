package io.penstock.runtime;

/** Where the bytes of a {@link Buffer} live, and who may touch them. */
public enum MemoryKind {
    /** Ordinary host memory outside the Java heap, 64-byte aligned, over huge pages where the system has them. */
    HOST
}

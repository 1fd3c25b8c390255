package io.penstock.runtime;

/**
 * How much of a device's memory is in use.
 *
 * @param live bytes of the buffers that are open
 * @param pooled bytes that were freed and are kept for the next allocation
 * @param limit bytes that may be live and pooled together
 * @param buffers how many allocations are open
 */
public record MemoryUse(long live, long pooled, long limit, long buffers) {}

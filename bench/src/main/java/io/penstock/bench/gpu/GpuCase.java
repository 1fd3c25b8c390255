package io.penstock.bench.gpu;

/**
 * Something to be timed.
 *
 * @param name what it does; peers that do the same call it so too
 * @param work the bytes that must move at least, or the operations on numbers, of one run
 * @param unit what a billion of {@code work} in a second is called
 * @param run submits it once
 * @param check throws unless the last run has found what it should; waits for it
 */
record GpuCase(String name, double work, String unit, Runnable run, Runnable check) {
    static GpuCase moving(String name, double bytes, Runnable run, Runnable check) {
        return new GpuCase(name, bytes, "GB/s", run, check);
    }
}

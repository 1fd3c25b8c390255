package io.penstock.kernel;

import java.util.zip.CRC32;
import java.util.zip.CRC32C;

/**
 * A sum of 64 bits by which the cache tells contents apart and notices damage: two cyclic redundancy checks of different polynomials.
 *
 * <p>The JVM has instructions for both before it has compiled anything, so a class file costs microseconds where a cryptographic
 * digest costs a millisecond. Nobody is kept from making two contents of one sum, as who can write to the cache can write any
 * program there.
 */
final class Checksum {
    private Checksum() {}

    static long of(byte[] bytes) {
        return of(bytes, 0, bytes.length);
    }

    static long of(byte[] bytes, int from, int length) {
        CRC32 high = new CRC32();
        high.update(bytes, from, length);
        CRC32C low = new CRC32C();
        low.update(bytes, from, length);
        return high.getValue() << 32 | low.getValue();
    }
}

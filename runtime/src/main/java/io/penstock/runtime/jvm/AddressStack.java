package io.penstock.runtime.jvm;

import java.util.Arrays;
import java.util.function.LongPredicate;

/** Addresses of free blocks of one size, the last freed first: its bytes are the likeliest to be in cache. */
final class AddressStack {
    private long[] addresses = new long[8];
    private int size;

    void push(long address) {
        if (size == addresses.length) addresses = Arrays.copyOf(addresses, 2 * size);
        addresses[size++] = address;
    }

    /** The address pushed last, or zero when there is none. */
    long pop() {
        return size == 0 ? 0 : addresses[--size];
    }

    int size() {
        return size;
    }

    long get(int k) {
        return addresses[k];
    }

    void removeIf(LongPredicate gone) {
        int kept = 0;
        for (int k = 0; k < size; k++) if (!gone.test(addresses[k])) addresses[kept++] = addresses[k];
        size = kept;
    }
}

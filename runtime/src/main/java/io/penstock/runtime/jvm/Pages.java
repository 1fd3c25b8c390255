package io.penstock.runtime.jvm;

import io.penstock.foreign.Libc;
import java.util.concurrent.ConcurrentHashMap;

/** Where the pool's memory comes from, in blocks aligned to a huge page. */
sealed interface Pages {
    /** Bytes of a huge page, and what blocks are aligned to. */
    long HUGE = 2L << 20;

    /** Maps {@code size} bytes; zero when the system refuses. Untouched pages take no memory. */
    long map(long size);

    /** Gives back what {@link #map} returned for the same size. */
    void unmap(long address, long size);

    /** The best source that this system has. */
    static Pages system() {
        return Libc.hasMmap() ? new Mapped() : new Malloced();
    }

    /** Anonymous mappings, over huge pages where the system has them. */
    record Mapped() implements Pages {
        @Override
        public long map(long size) {
            long padded = size + HUGE;
            if (padded < 0) return 0;
            int flags = Libc.MAP_PRIVATE | Libc.MAP_ANONYMOUS | Libc.MAP_NORESERVE;
            long raw = Libc.mmap(0, padded, Libc.PROT_READ | Libc.PROT_WRITE, flags, -1, 0);
            if (raw == Libc.MAP_FAILED) return 0;
            long address = (raw + HUGE - 1) & -HUGE;
            if (address > raw) Libc.munmap(raw, address - raw);
            long end = address + size;
            if (raw + padded > end) Libc.munmap(end, raw + padded - end);
            if (Libc.isLinux()) Libc.madvise(address, size, Libc.MADV_HUGEPAGE);
            return address;
        }

        @Override
        public void unmap(long address, long size) {
            Libc.munmap(address, size);
        }
    }

    /** Blocks of the C library's heap, for systems without {@code mmap}. */
    final class Malloced implements Pages {
        private final ConcurrentHashMap<Long, Long> raw = new ConcurrentHashMap<>();

        @Override
        public long map(long size) {
            long padded = size + HUGE;
            if (padded < 0) return 0;
            long block = Libc.malloc(padded);
            if (block == 0) return 0;
            long address = (block + HUGE - 1) & -HUGE;
            raw.put(address, block);
            return address;
        }

        @Override
        public void unmap(long address, long size) {
            Long block = raw.remove(address);
            if (block == null) throw new IllegalStateException("no block was allocated at " + address);
            Libc.free(block);
        }
    }
}

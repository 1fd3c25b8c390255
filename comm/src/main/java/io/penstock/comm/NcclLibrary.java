package io.penstock.comm;

import io.penstock.foreign.Nccl;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** NVIDIA's collective library, found once: by the environment variable {@code PENSTOCK_NCCL}, or by its usual names. */
final class NcclLibrary {
    private static final String VARIABLE = "PENSTOCK_NCCL";
    private static final List<String> USUAL = List.of("libnccl.so.2", "libnccl.so");

    private final @Nullable Nccl nccl;
    private final String about;

    private static final class Holder {
        private static final NcclLibrary FOUND = find();
    }

    private NcclLibrary(@Nullable Nccl nccl, String about) {
        this.nccl = nccl;
        this.about = about;
    }

    /** The library, or why there is none. */
    static NcclLibrary found() {
        return Holder.FOUND;
    }

    private static NcclLibrary find() {
        String named = System.getenv(VARIABLE);
        if ("none".equals(named)) return new NcclLibrary(null, VARIABLE + " is none");
        StringJoiner reasons = new StringJoiner("; ");
        for (String file : named == null || named.isEmpty() ? USUAL : List.of(named))
            try {
                Nccl nccl = Nccl.load(file);
                return new NcclLibrary(nccl, "NCCL " + version(nccl) + " (" + file + ")");
            } catch (IllegalArgumentException e) {
                reasons.add(e.getMessage());
            }
        return new NcclLibrary(null, "no NCCL can be loaded (" + reasons + ")");
    }

    private static String version(Nccl nccl) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment cell = arena.allocate(8);
            if (nccl.getVersion(cell.address()) != Nccl.SUCCESS) return "of unknown version";
            int code = cell.get(ValueLayout.JAVA_INT, 0);
            return code / 10_000 + "." + code / 100 % 100 + "." + code % 100;
        }
    }

    /** The functions; null when there is no library. */
    @Nullable
    Nccl functions() {
        return nccl;
    }

    /** Which version was found, or why none was. */
    @Override
    public String toString() {
        return about;
    }
}

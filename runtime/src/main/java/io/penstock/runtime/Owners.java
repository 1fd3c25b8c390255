package io.penstock.runtime;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** Who allocated the large blocks that are live, for the message of an allocation that fails. */
public final class Owners {
    private static final StackWalker WALKER = StackWalker.getInstance();
    private static final int DEPTH = 12;
    private static final int NAMED = 3;

    private final ConcurrentHashMap<Long, Owner> live = new ConcurrentHashMap<>();

    private record Owner(long bytes, Optional<StackWalker.StackFrame> site) {
        String describe() {
            return site.map(frame -> frame.toStackTraceElement().toString()).orElse("unknown code");
        }
    }

    /** Notes that the calling thread has allocated a block. */
    public void add(long address, long bytes) {
        live.put(
                address,
                new Owner(
                        bytes,
                        WALKER.walk(frames -> frames.limit(DEPTH)
                                .filter(frame -> !isArrayCode(frame.getClassName()))
                                .findFirst())));
    }

    /** The layers that allocate on behalf of others. */
    private static boolean isArrayCode(String type) {
        return type.startsWith("io.penstock.runtime.") || type.startsWith("io.penstock.array.");
    }

    /** Notes that a block is free. */
    public void remove(long address) {
        live.remove(address);
    }

    /** The places whose arrays are largest together, as a clause for the message. */
    public String describe() {
        Map<String, Long> bytes = new HashMap<>();
        for (Owner owner : live.values()) bytes.merge(owner.describe(), owner.bytes(), Long::sum);
        if (bytes.isEmpty()) return "";
        return bytes.entrySet().stream()
                .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                .limit(NAMED)
                .map(entry -> MemorySize.describe(entry.getValue()) + " by " + entry.getKey())
                .collect(Collectors.joining(", ", "; largest live: ", ""));
    }
}

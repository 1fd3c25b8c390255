package io.penstock.runtime;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The debug mode {@code -Dpenstock.check=order}: a second opinion on the ledger and on what work declares, for the price of
 * speed.
 *
 * <p>It knows nothing of histories. For each piece of work it keeps a vector clock, which says how far into every line the work
 * comes after, and refuses work that conflicts with other work under way which its clock does not cover. It also reports work
 * that changes bytes which it declared to be only read.
 */
final class OrderCheck {
    /** The other one compares the calls of collectives, in {@code comm}. */
    private static final List<String> KNOWN = List.of("order", "collectives");

    private static final String PROPERTY = "penstock.check";

    /** The check of this process; null when nobody asked for it. */
    static volatile @Nullable OrderCheck installed = isKnown() ? asked(System.getProperty(PROPERTY)) : null;

    private final Map<Allocation, List<Checked>> users = new HashMap<>();
    private final Map<Line, TreeMap<Long, Checked>> lines = new HashMap<>();
    private final Map<Work, Checked> underWay = new HashMap<>();

    /** A piece of work with where it was submitted, and how far into each line it comes after. */
    private record Checked(Work work, Throwable site, Map<Line, Long> clock) {
        boolean follows(Checked earlier) {
            return clock.getOrDefault(earlier.work.line(), 0L) >= earlier.work.number();
        }
    }

    private static boolean isKnown() {
        return KNOWN.containsAll(List.of(System.getProperty(PROPERTY, "order").split(",")));
    }

    /** Refuses a property that asks for what there is not. Not where the class is loaded, which would hide why. */
    static void requireKnown() {
        if (!isKnown()) asked(System.getProperty(PROPERTY));
    }

    static @Nullable OrderCheck asked(@Nullable String property) {
        if (property == null) return null;
        List<String> checks = List.of(property.split(","));
        if (!KNOWN.containsAll(checks))
            throw new IllegalArgumentException(
                    "penstock.check is '" + property + "'; expected order, collectives or order,collectives");
        return checks.contains("order") ? new OrderCheck() : null;
    }

    /**
     * Takes note of work that is about to enter its queue and knows what it waits for.
     *
     * @throws IllegalStateException when it conflicts with work under way that it does not follow
     */
    synchronized void enter(Work work) {
        Checked entered = new Checked(work, new Throwable("submitted here"), new HashMap<>());
        join(entered.clock, work.line(), work.number() - 1);
        work.waits().forEach((line, number) -> join(entered.clock, line, number));
        entered.clock.put(work.line(), work.number());
        for (Access access : work.accesses())
            for (Checked other : users.getOrDefault(access.buffer().allocation(), List.of()))
                if (!entered.follows(other) && !work.serves() && !bothOccupy(work, other.work))
                    requireDisjoint(access, other);
        for (Access access : work.accesses())
            users.computeIfAbsent(access.buffer().allocation(), a -> new ArrayList<>())
                    .add(entered);
        lines.computeIfAbsent(work.line(), l -> new TreeMap<>()).put(work.number(), entered);
        underWay.put(work, entered);
    }

    private static boolean bothOccupy(Work a, Work b) {
        return a.line().isOccupation() && b.line().isOccupation();
    }

    /**
     * Forgets work that is over, and all that it came after: that is over too, even if nobody has asked its driver yet.
     */
    synchronized void leave(Work work) {
        Checked left = underWay.get(work);
        if (left == null) return;
        left.clock.forEach((line, number) -> {
            TreeMap<Long, Checked> numbers = lines.get(line);
            if (numbers == null) return;
            List.copyOf(numbers.headMap(number, true).values()).forEach(this::forget);
        });
    }

    /** Forgets work that never began. */
    synchronized void drop(Work work) {
        Checked dropped = underWay.get(work);
        if (dropped != null) forget(dropped);
    }

    private void forget(Checked over) {
        underWay.remove(over.work);
        for (Access access : over.work.accesses())
            users.computeIfPresent(access.buffer().allocation(), (a, list) -> without(over, list));
        lines.computeIfPresent(over.work.line(), (l, numbers) -> {
            numbers.remove(over.work.number());
            return numbers.isEmpty() ? null : numbers;
        });
    }

    private static @Nullable List<Checked> without(Checked left, List<Checked> list) {
        list.removeIf(checked -> checked.work == left.work);
        return list.isEmpty() ? null : list;
    }

    /** Adds to a clock that its work follows a line up to a number, and what that follows. */
    private void join(Map<Line, Long> clock, Line line, long number) {
        clock.merge(line, number, Math::max);
        TreeMap<Long, Checked> numbers = lines.get(line);
        Map.Entry<Long, Checked> last = numbers == null ? null : numbers.floorEntry(number);
        if (last != null) last.getValue().clock.forEach((l, n) -> clock.merge(l, n, Math::max));
    }

    private static void requireDisjoint(Access access, Checked other) {
        for (Access theirs : other.work.accesses())
            if (theirs.buffer().allocation() == access.buffer().allocation()
                    && (theirs.writes() || access.writes())
                    && meet(theirs.region(), access.region()))
                throw new IllegalStateException(
                        "work that " + describe(access) + " conflicts with other work, which " + describe(theirs)
                                + ", and nothing orders the two; the other was submitted where the cause says",
                        other.site);
    }

    private static String describe(Access access) {
        return (access.writes() ? "writes " : "reads ") + access.region() + " of "
                + access.buffer().allocation().bytes() + " bytes";
    }

    /** Whether two regions share a byte, found run by run. */
    private static boolean meet(Region a, Region b) {
        long i = 0;
        long j = 0;
        while (i < a.rows() && j < b.rows()) {
            long fromA = a.offset() + i * a.stride();
            long fromB = b.offset() + j * b.stride();
            if (fromA < fromB + b.rowBytes() && fromB < fromA + a.rowBytes()) return true;
            if (fromA + a.rowBytes() <= fromB) i++;
            else j++;
        }
        return false;
    }

    /**
     * Runs {@code body}, the work's.
     *
     * @throws IllegalStateException when it has changed bytes that the work declared to be only read
     */
    void watch(Work work, Runnable body) {
        List<Access> reads = work.accesses().stream()
                .filter(access -> !access.writes() && !isWritten(access, work))
                .toList();
        List<Long> before = reads.stream().map(OrderCheck::digest).toList();
        body.run();
        for (int i = 0; i < reads.size(); i++)
            if (digest(reads.get(i)) != before.get(i))
                throw new IllegalStateException(
                        "work changed what it declared to be only read: it " + describe(reads.get(i)), siteOf(work));
    }

    private static boolean isWritten(Access read, Work work) {
        return work.accesses().stream()
                .anyMatch(access -> access.writes()
                        && access.buffer().allocation() == read.buffer().allocation()
                        && meet(access.region(), read.region()));
    }

    private static long digest(Access access) {
        Region region = access.region();
        long base = access.buffer().allocation().hostAddress() + region.offset();
        long hash = 0;
        for (long row = 0; row < region.rows(); row++)
            for (long i = 0; i < region.rowBytes(); i++)
                hash = 0x9e3779b97f4a7c15L
                                * (hash ^ HostMemory.ALL.get(ValueLayout.JAVA_BYTE, base + row * region.stride() + i))
                        + 1;
        return hash;
    }

    private synchronized @Nullable Throwable siteOf(Work work) {
        Checked checked = underWay.get(work);
        return checked == null ? null : checked.site;
    }
}

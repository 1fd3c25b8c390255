package io.penstock.comm;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What the ranks of one in-process communicator share. */
final class InProcessGroup {
    private final World world;
    private final int[] members;
    private final String name;
    private final Mailbox[] mailboxes;
    private final Rendezvous start;
    private final AtomicReference<@Nullable Rendezvous> spare = new AtomicReference<>();

    /** The group of all ranks of a world. */
    InProcessGroup(World world) {
        this(world, IntStream.range(0, world.size()).toArray(), "in-process group of " + world.size() + " ranks");
    }

    private InProcessGroup(World world, int[] members, String name) {
        this.world = world;
        this.members = members;
        this.name = name;
        this.mailboxes = new Mailbox[members.length];
        Arrays.setAll(mailboxes, r -> new Mailbox());
        this.start = new Rendezvous(this);
    }

    World world() {
        return world;
    }

    int size() {
        return members.length;
    }

    String name() {
        return name;
    }

    RankState state(int rank) {
        return world.rank(members[rank]);
    }

    Mailbox mailbox(int rank) {
        return mailboxes[rank];
    }

    /** The rendezvous before the first; every rank starts from it. */
    Rendezvous start() {
        return start;
    }

    /** The rendezvous that comes after {@code current}; the first rank to ask makes it. */
    Rendezvous after(Rendezvous current) {
        Rendezvous next = current.next();
        if (next != null) return next;
        Rendezvous fresh = spare.getAndSet(null);
        if (fresh == null) fresh = new Rendezvous(this);
        Rendezvous winner = current.follow(fresh);
        if (winner != fresh) spare.set(fresh);
        return winner;
    }

    /** Takes back a rendezvous that no rank refers to any more. */
    void recycle(Rendezvous left) {
        left.reset();
        spare.set(left);
    }

    /** How messages name a rank: by its number here, and by its number among all ranks where that differs. */
    String label(int rank) {
        return members[rank] == rank ? "rank " + rank : "rank " + rank + " (" + members[rank] + " of all)";
    }

    String labels(int[] ranks) {
        if (ranks.length == 1) return label(ranks[0]);
        return "ranks "
                + Arrays.stream(ranks)
                        .mapToObj(r -> label(r).substring("rank ".length()))
                        .collect(Collectors.joining(", "));
    }

    /** For each rank, the group that its call of split puts it in. */
    InProcessGroup[] divide(Call[] calls) {
        Map<Integer, List<Integer>> byColour = new TreeMap<>();
        for (int r = 0; r < calls.length; r++)
            byColour.computeIfAbsent(calls[r].colour(), colour -> new ArrayList<>())
                    .add(r);
        InProcessGroup[] result = new InProcessGroup[calls.length];
        byColour.forEach((colour, ranks) -> {
            ranks.sort(Comparator.comparingInt(r -> calls[r].key()));
            int[] chosen = ranks.stream().mapToInt(r -> members[r]).toArray();
            InProcessGroup group = new InProcessGroup(
                    world, chosen, "in-process group of ranks " + Arrays.toString(chosen) + " of " + world.size());
            for (int r : ranks) result[r] = group;
        });
        return result;
    }

    /** The number within this group of a rank of the world that belongs to it. */
    int rankOf(RankState state) {
        for (int r = 0; r < members.length; r++) if (members[r] == state.rank()) return r;
        throw new IllegalArgumentException("rank " + state.rank() + " is not in the " + name);
    }
}

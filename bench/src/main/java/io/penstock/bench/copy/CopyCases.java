package io.penstock.bench.copy;

import io.penstock.runtime.CompilingDevice;
import io.penstock.runtime.Device;
import io.penstock.runtime.DeviceMemoryException;
import io.penstock.runtime.MemoryKind;
import io.penstock.runtime.Queue;
import io.penstock.runtime.cuda.CudaQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** All ways to do the copy on a group of devices of one driver, a row of the table for each. */
final class CopyCases {
    private final List<Device> devices;
    private final Device device;
    private final long rows;
    private final long unifiedRows;
    private final int rounds;
    private final CudaPeer peer;
    private final Table table;
    private final List<Copier> copiers = new ArrayList<>();

    CopyCases(List<Device> devices, long rows, long unifiedRows, int rounds, CudaPeer peer, Table table) {
        this.devices = devices;
        this.device = devices.getFirst();
        this.rows = rows;
        this.unifiedRows = unifiedRows;
        this.rounds = rounds;
        this.peer = peer;
        this.table = table;
    }

    void run() {
        String names = devices.stream().map(Device::name).collect(Collectors.joining(", "));
        table.line(
                "%n%s: two arrays of %d x 2 floats (%d x 2 in unified memory), %d rounds",
                names, rows, unifiedRows, rounds);
        if (device instanceof CompilingDevice compiling) copiers.add(new BuiltInCopier(new BuiltIn(compiling)));
        Optional<String> obstacle = JavaCopier.obstacle(device);
        if (obstacle.isEmpty()) copiers.add(new JavaCopier());
        else table.line("kernels in Java do not run on %s: %s", device.name(), obstacle.get());
        table.begin("plain memory of " + device.name());
        part(plain(), rows, "");
        if (!device.equals(Device.jvm())) {
            table.begin("unified memory, and plain memory of the same size");
            part(plain(), unifiedRows, "small ");
            part(MemoryKind.UNIFIED, unifiedRows, "unified ");
        }
        table.line("%n%s: costs of launches", device.name());
        try (LaunchCost cost = new LaunchCost(device, table, peer)) {
            cost.measure();
        }
    }

    private MemoryKind plain() {
        return device.equals(Device.jvm()) ? MemoryKind.HOST : MemoryKind.DEVICE;
    }

    /** The cases on arrays of one kind and size. */
    private void part(MemoryKind kind, long size, String peerPrefix) {
        boolean plain = kind == plain();
        Part part = new Part(plain ? "" : "unified: ", peerPrefix);
        int count = Math.max(2, devices.size());
        try (Columns columns = Columns.allocate(device, kind, 2 * size / count, count)) {
            if (plain) engine(part, columns);
            for (Copier copier : copiers) {
                oneDevice(part, copier, columns, plain && copier.equals(copiers.getFirst()));
                if (!plain) prefetched(part, copier, columns);
                if (devices.size() > 1) severalDevices(part, copier, columns, plain);
            }
        } catch (UnsupportedOperationException | DeviceMemoryException e) {
            table.absent(part.memory() + "all", String.valueOf(e.getMessage()));
            return;
        }
        if (plain && devices.size() > 1) for (Copier copier : copiers) ownParts(part, copier, size);
    }

    /**
     * Which rows of the table these are.
     *
     * @param memory what their names begin with
     * @param peer what the names of the peer's cases begin with
     */
    private record Part(String memory, String peer) {}

    private void engine(Part part, Columns columns) {
        Queue queue = device.newQueue();
        String name = "copy engine";
        measure(name, List.of(columns), () -> List.of(new Lane(queue, () -> queue.copy(columns.from(), columns.to()))))
                .ifPresent(times -> table.engine(name, columns.traffic(), times, peer.median(part.peer() + "engine")));
    }

    private void oneDevice(Part part, Copier copier, Columns columns, boolean standard) {
        String by = ", " + copier.language();
        Queue one = device.newQueue();
        String name = part.memory() + "single kernel" + by;
        OptionalDouble theirs = peer.median(part.peer() + "single");
        measure(name, List.of(columns), () -> List.of(new Lane(one, copier.all(one, columns))))
                .ifPresent(times -> {
                    if (standard) table.single(name, columns.traffic(), times, theirs);
                    else table.row(name, columns.traffic(), times, theirs);
                });
        List<Queue> queues = columns.each(_ -> device.newQueue());
        OptionalDouble twice = peer.median(part.peer() + "queues");
        String several = part.memory() + queues.size() + " queues, ";
        row(several + "slices" + by, columns, twice, k -> lane(queues.get(k), q -> copier.slice(q, columns, k)));
        row(
                several + "whole arrays and column number" + by,
                columns,
                twice,
                k -> lane(queues.get(k), q -> copier.column(q, columns, k)));
    }

    /** With all pages asked for before every launch, though they are there: what a library that does so unasked costs. */
    private void prefetched(Part part, Copier copier, Columns columns) {
        String by = ", prefetch at every launch, " + copier.language();
        if (!(device.newQueue() instanceof CudaQueue one)) return;
        String name = part.memory() + "single kernel" + by;
        Runnable all = copier.all(one, columns);
        measure(
                        name,
                        List.of(columns),
                        () -> List.of(new Lane(one, () -> {
                            one.prefetch(columns.to());
                            one.prefetch(columns.from());
                            all.run();
                        })))
                .ifPresent(times -> table.row(name, columns.traffic(), times, OptionalDouble.empty()));
        if (devices.size() < 2) return;
        List<CudaQueue> queues =
                devices.stream().map(each -> (CudaQueue) each.newQueue()).toList();
        row(part.memory() + queues.size() + " devices, slices" + by, columns, OptionalDouble.empty(), k -> {
            CudaQueue queue = queues.get(k);
            Runnable slice = copier.slice(queue, columns, k);
            return new Lane(queue, () -> {
                queue.prefetch(columns.column(columns.to(), k));
                queue.prefetch(columns.column(columns.from(), k));
                slice.run();
            });
        });
    }

    private void severalDevices(Part part, Copier copier, Columns columns, boolean plain) {
        String by = ", " + copier.language();
        for (Device each : devices)
            if (plain && !each.equals(device) && !Reach.ofPlainMemory(each, device)) {
                table.absent(
                        "several devices on arrays of " + device.name() + by,
                        each.name() + " does not reach the memory of " + device.name());
                return;
            }
        Device other = devices.get(1);
        String wrong = part.memory() + "wrong device, kernel on " + other.name() + by;
        measure(wrong, List.of(columns), () -> List.of(lane(other.newQueue(), q -> copier.all(q, columns))))
                .ifPresent(
                        times -> table.row(wrong, columns.traffic(), times, peer.median(part.peer() + "wrong device")));
        List<Queue> queues = devices.stream().map(Device::newQueue).toList();
        String several = part.memory() + queues.size() + " devices, ";
        OptionalDouble theirs = peer.median(part.peer() + "devices");
        row(several + "slices" + by, columns, theirs, k -> lane(queues.get(k), q -> copier.slice(q, columns, k)));
        row(
                several + "whole arrays and column number" + by,
                columns,
                theirs,
                k -> lane(queues.get(k), q -> copier.column(q, columns, k)));
    }

    /** Each device with a column in memory of its own. */
    private void ownParts(Part part, Copier copier, long size) {
        String name = devices.size() + " devices, each its part in own memory, " + copier.language();
        List<Columns> parts = new ArrayList<>();
        try {
            for (Device each : devices) parts.add(Columns.allocate(each, plain(), 2 * size / devices.size(), 1));
            double traffic = parts.stream().mapToDouble(Columns::traffic).sum();
            measure(
                            name,
                            parts,
                            () -> parts.stream()
                                    .map(own -> lane(own.device().newQueue(), q -> copier.all(q, own)))
                                    .toList())
                    .ifPresent(times -> table.row(name, traffic, times, peer.median(part.peer() + "own parts")));
        } finally {
            parts.forEach(Columns::close);
        }
    }

    private static Lane lane(Queue queue, Function<Queue, Runnable> launch) {
        return new Lane(queue, launch.apply(queue));
    }

    private void row(String name, Columns columns, OptionalDouble theirs, IntFunction<Lane> lanes) {
        measure(name, List.of(columns), () -> columns.each(lanes))
                .ifPresent(times -> table.row(name, columns.traffic(), times, theirs));
    }

    /** Runs a case and sees that it has copied all; tells why it cannot be run where that is so. */
    private Optional<Rounds.Times> measure(String name, List<Columns> parts, Supplier<List<Lane>> lanes) {
        Rounds.Times times;
        try {
            parts.forEach(Columns::spoil);
            times = Rounds.measure(lanes.get(), rounds);
        } catch (IllegalArgumentException | IllegalStateException | UnsupportedOperationException e) {
            table.absent(name, String.valueOf(e.getMessage()));
            return Optional.empty();
        }
        parts.forEach(Columns::check);
        return Optional.of(times);
    }
}

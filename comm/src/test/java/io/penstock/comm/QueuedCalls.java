package io.penstock.comm;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.kernel.Doubles;
import io.penstock.kernel.Kernel;
import io.penstock.kernel.WorkItem;
import io.penstock.runtime.Access;
import io.penstock.runtime.Device;
import io.penstock.runtime.HostMemory;
import io.penstock.runtime.Queue;
import io.penstock.runtime.Scope;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntToDoubleFunction;
import java.util.function.ToDoubleFunction;

/**
 * Calls of a communicator on arrays that a queue is still busy with: late kernels that write what is sent, late kernels that read
 * what is received into, and kernels that are submitted while a request is under way. Counts the wrong values.
 */
final class QueuedCalls {
    private static final int SIZE = 50;
    private static final long LATE = 2_000_000;
    private static final double UNWRITTEN = -7;
    private static final double OLD = -3;

    /** What a rank hands over to each rank, and where it receives from each. */
    private record Arrays(List<NDArray> out, List<NDArray> in) {}

    /** A call; a blocking one returns nothing to await. */
    private interface Caller {
        List<Request> call(Communicator ranks, Arrays arrays);
    }

    /** A call of which every rank gets the same results in its {@code in} or {@code out} arrays. */
    private record Case(
            String name, Caller caller, List<Integer> results, boolean inPlace, ToDoubleFunction<int[]> value) {}

    private final Communicator ranks;
    private final int me;
    private final int size;
    private final Device device;
    /** Of the JVM: what it delays is what the device's queue has to wait for. */
    private final Queue queue = Device.jvm().newQueue();

    private final Queue deviceQueue;
    /** Reads at the same time as the other one writes. */
    private final Queue readingQueue;
    /** How long kernels on the device spin; 0 where the host delays them instead. */
    private final long spins;

    private int wrong;

    private QueuedCalls(Communicator ranks, Device device, long spins) {
        this.device = device;
        this.spins = spins;
        this.deviceQueue = device.newQueue();
        this.readingQueue = device.newQueue();
        this.ranks = ranks;
        this.me = ranks.rank();
        this.size = ranks.size();
    }

    /** Makes every call {@code rounds} times; returns how many values were wrong on this rank. */
    static int wrongValues(Communicator ranks, int rounds) {
        return wrongValues(ranks, Device.jvm(), rounds);
    }

    /** The same with arrays in a device's memory. */
    static int wrongValues(Communicator ranks, Device device, int rounds) {
        return wrongValues(ranks, device, rounds, 0);
    }

    /** The same with kernels on the device that spin before they write or read, so that nothing but the device is late. */
    static int wrongValues(Communicator ranks, Device device, int rounds, long spins) {
        QueuedCalls calls = new QueuedCalls(ranks, device, spins);
        for (int round = 0; round < rounds; round++)
            for (Case next : calls.cases())
                try (Scope _ = Scope.open()) {
                    calls.make(next);
                }
        return calls.wrong;
    }

    private double given(int from, int to) {
        return 100 * from + to + 1;
    }

    private double sum(IntToDoubleFunction term) {
        double sum = 0;
        for (int r = 0; r < size; r++) sum += term.applyAsDouble(r);
        return sum;
    }

    private List<Integer> all() {
        List<Integer> all = new ArrayList<>();
        for (int r = 0; r < size; r++) all.add(r);
        return all;
    }

    /** Each case: which arrays hold results, whether they are those handed over, and the value by rank and array. */
    private List<Case> cases() {
        int next = (me + 1) % size;
        int previous = (me + size - 1) % size;
        List<Integer> first = List.of(0);
        List<Integer> rootOnly = me == 0 ? first : List.of();
        ToDoubleFunction<int[]> sums = at -> sum(r -> given(r, 0));
        ToDoubleFunction<int[]> root = at -> given(0, 0);
        ToDoubleFunction<int[]> gathered = at -> given(at[0], 0);
        ToDoubleFunction<int[]> swapped = at -> given(at[0], me);
        ToDoubleFunction<int[]> fromPrevious = at -> given(previous, me);
        List<Integer> before = List.of(previous);
        return List.of(
                new Case("allReduce", now((c, a) -> c.allReduce(a.out.get(0), ReduceOp.SUM)), first, true, sums),
                new Case("broadcast", now((c, a) -> c.broadcast(a.out.get(0), 0)), first, true, root),
                new Case("reduce", now((c, a) -> c.reduce(a.out.get(0), ReduceOp.SUM, 0)), rootOnly, true, sums),
                new Case(
                        "reduceScatter",
                        now((c, a) -> c.reduceScatter(a.out, a.in.get(0), ReduceOp.SUM)),
                        first,
                        false,
                        at -> sum(r -> given(r, me))),
                new Case("allGather", now((c, a) -> c.allGather(a.out.get(0), a.in)), all(), false, gathered),
                new Case(
                        "gather",
                        now((c, a) -> c.gather(a.out.get(0), a.in, 0)),
                        me == 0 ? all() : List.of(),
                        false,
                        gathered),
                new Case("scatter", now((c, a) -> c.scatter(a.out, a.in.get(0), 0)), first, false, at -> given(0, me)),
                new Case("allToAll", now((c, a) -> c.allToAll(a.out, a.in)), all(), false, swapped),
                new Case(
                        "sendReceive",
                        now((c, a) -> c.sendReceive(a.out.get(next), next, a.in.get(previous), previous, 1)),
                        before,
                        false,
                        fromPrevious),
                new Case(
                        "iexchange",
                        later((c, a) -> List.of(c.iexchange(
                                List.of(new Envelope(next, a.out.get(next))),
                                List.of(new Envelope(previous, a.in.get(previous)))))),
                        before,
                        false,
                        fromPrevious),
                new Case(
                        "send and receive", now((c, a) -> alternately(a, next, previous)), before, false, fromPrevious),
                new Case(
                        "iallReduce",
                        later((c, a) -> List.of(c.iallReduce(a.out.get(0), ReduceOp.SUM))),
                        first,
                        true,
                        sums),
                new Case("ibroadcast", later((c, a) -> List.of(c.ibroadcast(a.out.get(0), 0))), first, true, root),
                new Case(
                        "iallGather",
                        later((c, a) -> List.of(c.iallGather(a.out.get(0), a.in))),
                        all(),
                        false,
                        gathered),
                new Case("iallToAll", later((c, a) -> List.of(c.iallToAll(a.out, a.in))), all(), false, swapped),
                new Case(
                        "isend and ireceive",
                        later((c, a) -> List.of(
                                c.ireceive(a.in.get(previous), previous, 2), c.isend(a.out.get(next), next, 2))),
                        before,
                        false,
                        fromPrevious));
    }

    private interface Blocking {
        void call(Communicator ranks, Arrays arrays);
    }

    private static Caller now(Blocking call) {
        return (ranks, arrays) -> {
            call.call(ranks, arrays);
            return List.of();
        };
    }

    private static Caller later(Caller call) {
        return call;
    }

    /** Even ranks send first; with an odd number of ranks the last one sends to the first, which has sent already. */
    private void alternately(Arrays arrays, int next, int previous) {
        if (size == 1) return;
        if (me % 2 == 0) ranks.send(arrays.out.get(next), next, 0);
        ranks.receive(arrays.in.get(previous), previous, 0);
        if (me % 2 == 1) ranks.send(arrays.out.get(next), next, 0);
    }

    private void make(Case next) {
        if (size == 1 && next.name.equals("send and receive")) return;
        Arrays arrays = new Arrays(filled(UNWRITTEN), filled(OLD));
        submitWrites(arrays.out, to -> given(me, to), true);
        List<NDArray> seen = submitReads(arrays.in, true);
        List<Request> requests = next.caller.call(ranks, arrays);
        List<NDArray> results = next.inPlace ? arrays.out : arrays.in;
        List<NDArray> found = List.of();
        if (!requests.isEmpty()) {
            // Under way: what is handed over may be overwritten once it has gone, what comes may be read once it is
            // there.
            if (!next.inPlace) submitWrites(arrays.out, _ -> UNWRITTEN, false);
            found = submitReads(next.results.stream().map(results::get).toList(), false);
            if (me % 2 == 0) queue.await(); // brings the requests forward, which the queue waits for
            requests.forEach(Request::await);
        }
        for (int i = 0; i < next.results.size(); i++) {
            int at = next.results.get(i);
            expect(results.get(at).toDoubles(), next.value.applyAsDouble(new int[] {at}), next);
        }
        queue.await();
        deviceQueue.await();
        readingQueue.await();
        for (NDArray values : seen) expect(values.toDoubles(), OLD, next);
        for (int i = 0; i < found.size(); i++)
            expect(found.get(i).toDoubles(), next.value.applyAsDouble(new int[] {next.results.get(i)}), next);
    }

    private List<NDArray> filled(double value) {
        List<NDArray> arrays = new ArrayList<>();
        for (int r = 0; r < size; r++) {
            NDArray array = NDArray.empty(device, DType.F64, SIZE);
            array.fill(value);
            arrays.add(array);
        }
        return arrays;
    }

    /** Has arrays written on a queue, late if asked: then the first is delayed, and the others come after it. */
    private void submitWrites(List<NDArray> arrays, IntToDoubleFunction value, boolean late) {
        for (int r = 0; r < arrays.size(); r++) submitWrite(arrays.get(r), value.applyAsDouble(r), late && r == 0);
    }

    private void submitWrite(NDArray array, double value, boolean late) {
        if (array.buffer().isHostAddressable()) {
            queue.submit(List.of(Access.write(array.buffer())), () -> {
                if (late) LockSupport.parkNanos(this, LATE);
                long address = array.address();
                for (int i = 0; i < SIZE; i++) HostMemory.ALL.set(ValueLayout.JAVA_DOUBLE, address + 8L * i, value);
            });
            return;
        }
        if (spins == 0) {
            if (late) delay(array);
            deviceQueue.during(() -> array.fill(value));
        } else deviceQueue.during(() -> WRITE.over(SIZE).launch(array.elements(), value, late ? spins : 0L));
    }

    /** What kernels will have seen; late if asked, as they write. */
    private List<NDArray> submitReads(List<NDArray> arrays, boolean late) {
        List<NDArray> seen = new ArrayList<>();
        for (NDArray array : arrays) seen.add(submitRead(array, late && seen.isEmpty()));
        return seen;
    }

    private NDArray submitRead(NDArray array, boolean late) {
        NDArray seen = NDArray.zeros(DType.F64, SIZE);
        if (array.buffer().isHostAddressable()) {
            queue.submit(List.of(Access.read(array.buffer()), Access.write(seen.buffer())), () -> {
                if (late) LockSupport.parkNanos(this, LATE);
                seen.assign(array);
            });
            return seen;
        }
        if (spins == 0) {
            if (late) delay(seen);
            readingQueue.during(() -> seen.set(array));
            return seen;
        }
        NDArray there = NDArray.empty(device, DType.F64, SIZE);
        readingQueue.during(() -> READ.over(SIZE).launch(there.elements(), array.elements(), late ? spins : 0L));
        return there;
    }

    private static final Kernel WRITE = Kernel.of(QueuedCalls::write);
    private static final Kernel READ = Kernel.of(QueuedCalls::read);

    /** Takes its time before it writes. */
    static void write(WorkItem at, Doubles out, double value, long spins) {
        double time = 0.5;
        for (long i = 0; i < spins; i++) time = time * 0.999999999 + 1e-12;
        out.set(at.x(), time > 2 ? time : value);
    }

    /** Takes its time before it reads. */
    static void read(WorkItem at, Doubles seen, Doubles data, long spins) {
        double time = 0.5;
        for (long i = 0; i < spins; i++) time = time * 0.999999999 + 1e-12;
        double late = data.get(at.x());
        seen.set(at.x(), time > 2 ? time : late);
    }

    /** Makes whatever touches an array next come late. */
    private void delay(NDArray array) {
        queue.submit(List.of(Access.write(array.buffer())), () -> LockSupport.parkNanos(this, LATE));
    }

    private void expect(double[] values, double value, Case after) {
        for (double found : values)
            if (found != value) {
                wrong++;
                System.Logger log = System.getLogger("io.penstock.comm.test");
                log.log(System.Logger.Level.DEBUG, "{0}: {1}, expected {2}", after.name, found, value);
            }
    }
}

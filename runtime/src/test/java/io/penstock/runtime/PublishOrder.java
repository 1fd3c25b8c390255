package io.penstock.runtime;

import java.util.List;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Two threads submit work on the same two arrays, named in opposite order, to two lines at the same time: one of the two waits for
 * the other. Run by {@link PublishOrderTest}.
 */
@JCStressTest
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "the first comes after the second")
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "the second comes after the first")
@Outcome(id = "0, 0", expect = Expect.FORBIDDEN, desc = "neither knows of the other")
@Outcome(id = "1, 1", expect = Expect.FORBIDDEN, desc = "each waits for the other")
@State
public class PublishOrder {
    private final Buffer a = array();
    private final Buffer b = array();
    private final Work first = work(List.of(Access.write(a), Access.read(b)));
    private final Work second = work(List.of(Access.write(b.slice(2, 4)), Access.read(a.slice(3, 1))));

    /** Memory by name only: nobody touches it. */
    private static Buffer array() {
        return Buffer.whole(new Allocation(Device.jvm(), MemoryKind.HOST, 64, 8, (address, bytes) -> {}));
    }

    private static Work work(List<Access> accesses) {
        return new Work(new Line("a line"), What.UNNAMED, accesses, () -> {});
    }

    private static int submit(Work work) {
        Ledger.enter(work, null);
        return work.waits().count();
    }

    /** Submits the one. */
    @Actor
    public void one(II_Result result) {
        result.r1 = submit(first);
    }

    /** Submits the other. */
    @Actor
    public void other(II_Result result) {
        result.r2 = submit(second);
    }

    /** Keeps both arrays until both threads are done. */
    @Arbiter
    public void arbiter() {
        a.close();
        b.close();
    }
}

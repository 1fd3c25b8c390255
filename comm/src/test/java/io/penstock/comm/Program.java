package io.penstock.comm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.penstock.array.Complex;
import io.penstock.array.NDArray;
import io.penstock.runtime.Device;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;

/** One rank's side of a random program. */
final class Program {
    private final Communicator ranks;
    private final int me;
    private final long seed;
    private final int steps;
    private final Device device;
    /** Choices that are this rank's alone: the layout of its arrays, and when it awaits. */
    private final SplittableRandom own;

    private final List<Runnable> pending = new ArrayList<>();

    /** On arrays of the JVM. */
    Program(Communicator ranks, int worldRank, long seed, int steps) {
        this(ranks, worldRank, seed, steps, Device.jvm());
    }

    Program(Communicator ranks, int worldRank, long seed, int steps, Device device) {
        this.device = device;
        this.ranks = ranks;
        this.me = ranks.rank();
        this.seed = seed;
        this.steps = steps;
        this.own = new SplittableRandom(seed + worldRank);
    }

    void run() {
        run(step -> {});
    }

    /** Runs, telling {@code observer} the number of each step before it. */
    void run(IntConsumer observer) {
        SplittableRandom seeds = new SplittableRandom(seed);
        for (int s = 0; s < steps; s++) {
            observer.accept(s);
            perform(Step.random(seeds.nextLong(), ranks.size()));
            while (pending.size() > 6) awaitAny();
        }
        while (!pending.isEmpty()) awaitAny();
    }

    private void awaitAny() {
        pending.remove(own.nextInt(pending.size())).run();
    }

    private void perform(Step step) {
        int n = ranks.size();
        switch (step.kind()) {
            case BARRIER -> {
                if (step.waits()) ranks.barrier();
                else later(ranks.ibarrier(), () -> {});
            }
            case BROADCAST -> {
                View data = view(step, step.size(0, 0), me, 0);
                Runnable check = () -> check(step, data, i -> step.value(step.root(), 0, i));
                if (step.waits()) now(() -> ranks.broadcast(data.array(), step.root()), check);
                else later(ranks.ibroadcast(data.array(), step.root()), check);
            }
            case ALL_REDUCE -> {
                View data = view(step, step.size(0, 0), me, 0);
                Runnable check = () -> check(step, data, i -> step.reduced(0, i));
                if (step.waits()) now(() -> ranks.allReduce(data.array(), step.op()), check);
                else later(ranks.iallReduce(data.array(), step.op()), check);
            }
            case ALL_REDUCE_VALUES -> values(step);
            case REDUCE -> {
                View data = view(step, step.size(0, 0), me, 0);
                ranks.reduce(data.array(), step.op(), step.root());
                check(step, data, i -> me == step.root() ? step.reduced(0, i) : step.value(me, 0, i));
            }
            case REDUCE_SCATTER -> {
                List<View> parts = views(step, to -> view(step, step.size(0, to), me, to));
                View into = blank(step, step.size(0, me));
                ranks.reduceScatter(arrays(parts), into.array(), step.op());
                check(step, into, i -> step.reduced(me, i));
            }
            case ALL_GATHER -> {
                View part = view(step, step.size(me, 0), me, 0);
                List<View> into = views(step, from -> blank(step, step.size(from, 0)));
                Runnable check = () -> checkAll(step, into, 0);
                if (step.waits()) now(() -> ranks.allGather(part.array(), arrays(into)), check);
                else later(ranks.iallGather(part.array(), arrays(into)), check);
            }
            case GATHER -> {
                View part = view(step, step.size(me, 0), me, 0);
                List<View> into = me == step.root() ? views(step, from -> blank(step, step.size(from, 0))) : List.of();
                ranks.gather(part.array(), arrays(into), step.root());
                checkAll(step, into, 0);
            }
            case SCATTER -> {
                List<View> parts =
                        me == step.root() ? views(step, to -> view(step, step.size(0, to), me, to)) : List.of();
                View into = blank(step, step.size(0, me));
                ranks.scatter(arrays(parts), into.array(), step.root());
                check(step, into, i -> step.value(step.root(), me, i));
            }
            case ALL_TO_ALL -> {
                List<View> parts = views(step, to -> view(step, step.size(me, to), me, to));
                List<View> into = views(step, from -> blank(step, step.size(from, me)));
                Runnable check = () -> checkAll(step, into, me);
                if (step.waits()) now(() -> ranks.allToAll(arrays(parts), arrays(into)), check);
                else later(ranks.iallToAll(arrays(parts), arrays(into)), check);
            }
            case MESSAGE -> message(step);
            case RING -> {
                int next = (me + 1) % n;
                int previous = (me + n - 1) % n;
                View out = view(step, step.size(me, next), me, next);
                View in = blank(step, step.size(previous, me));
                Runnable check = () -> check(step, in, i -> step.value(previous, me, i));
                if (step.waits())
                    now(() -> ranks.sendReceive(out.array(), next, in.array(), previous, step.tag() + 3), check);
                else if (step.tag() == 0)
                    later(
                            ranks.iexchange(
                                    List.of(new Envelope(next, out.array())),
                                    List.of(new Envelope(previous, in.array()))),
                            check);
                else {
                    later(ranks.ireceive(in.array(), previous, step.tag() + 3), check);
                    later(ranks.isend(out.array(), next, step.tag() + 3), () -> {});
                }
            }
        }
    }

    private void values(Step step) {
        int count = step.size(0, 0) % 40;
        double[] values = new double[count + 1];
        for (int i = 0; i < count; i++) values[i] = (0.1 + me) * (i + 1);
        values[count] = -5;
        ranks.allReduce(values, count, step.op());
        for (int i = 0; i < count; i++) {
            double expected = 0.1 * (i + 1);
            for (int r = 1; r < ranks.size(); r++) {
                double other = (0.1 + r) * (i + 1);
                expected = switch (step.op()) {
                    case SUM -> expected + other;
                    case PROD -> expected * other;
                    case MIN -> Math.min(expected, other);
                    case MAX -> Math.max(expected, other);
                };
            }
            if (ranks instanceof InProcessCommunicator)
                assertThat(values[i]).as("in rank order").isEqualTo(expected);
            else assertThat(values[i]).isCloseTo(expected, within(1e-13 * Math.abs(expected)));
        }
        assertThat(values[count]).as("beyond the count").isEqualTo(-5);
    }

    private void message(Step step) {
        int size = step.size(step.root(), step.peer());
        if (step.root() == step.peer()) {
            View in = blank(step, size);
            later(ranks.ireceive(in.array(), me, step.tag()), () -> check(step, in, i -> step.value(me, me, i)));
            ranks.send(view(step, size, me, me).array(), me, step.tag());
        } else if (me == step.root()) {
            View out = view(step, size, me, step.peer());
            if (own.nextBoolean()) ranks.send(out.array(), step.peer(), step.tag());
            else later(ranks.isend(out.array(), step.peer(), step.tag()), () -> {});
        } else if (me == step.peer()) {
            View in = blank(step, size);
            Runnable check = () -> check(step, in, i -> step.value(step.root(), me, i));
            if (own.nextBoolean()) now(() -> ranks.receive(in.array(), step.root(), step.tag()), check);
            else later(ranks.ireceive(in.array(), step.root(), step.tag()), check);
        }
    }

    private void now(Runnable call, Runnable check) {
        call.run();
        check.run();
    }

    private void later(Request request, Runnable check) {
        boolean polls = own.nextInt(4) == 0;
        pending.add(() -> {
            while (polls && !request.isDone()) Thread.onSpinWait();
            request.await();
            request.await();
            assertThat(request.isDone()).isTrue();
            check.run();
        });
    }

    private View view(Step step, int size, int from, int to) {
        View view = View.of(own, step.dtype(), size);
        for (int i = 0; i < size; i++) view.set(i, step.value(from, to, i));
        return view.to(device);
    }

    private View blank(Step step, int size) {
        return View.of(own, step.dtype(), size).to(device);
    }

    private List<View> views(Step step, IntFunction<View> byRank) {
        List<View> views = new ArrayList<>();
        for (int r = 0; r < step.ranks(); r++) views.add(byRank.apply(r));
        return views;
    }

    private static List<NDArray> arrays(List<View> views) {
        return views.stream().map(View::array).toList();
    }

    private void checkAll(Step step, List<View> into, int to) {
        for (int r = 0; r < into.size(); r++) {
            int from = r;
            check(step, into.get(r), i -> step.value(from, to, i));
        }
    }

    private void check(Step step, View view, IntFunction<Complex> expected) {
        View here = view.to(Device.jvm());
        for (int i = 0; i < here.array().size(); i++) {
            Complex value = here.get(i);
            Complex right = expected.apply(i);
            if (value.re() != right.re() || value.im() != right.im())
                throw new AssertionError(
                        "rank " + me + " has " + value + " at " + i + "; expected " + right + " after " + step);
        }
        if (!view.isGuardIntact()) throw new AssertionError("rank " + me + " wrote beside its array in " + step);
    }
}

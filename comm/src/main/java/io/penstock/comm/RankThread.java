package io.penstock.comm;

import io.penstock.runtime.Scope;
import io.penstock.runtime.jvm.JvmDevice;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** The thread that is one in-process rank. */
final class RankThread<T extends @Nullable Object> {
    private final InProcessGroup group;
    private final World world;
    private final RankState state;
    private final RankFunction<T> body;
    private final CountDownLatch running;
    private final Thread thread;
    private @Nullable T result;
    private @Nullable Throwable thrown;

    RankThread(InProcessGroup group, RankState state, RankFunction<T> body, CountDownLatch running) {
        this.running = running;
        this.group = group;
        this.world = group.world();
        this.state = state;
        this.body = body;
        this.thread = Thread.ofPlatform().daemon().name("rank-" + state.rank()).unstarted(this::runSharing);
        state.thread = thread;
    }

    void start() {
        thread.start();
    }

    Thread thread() {
        return thread;
    }

    RankState state() {
        return state;
    }

    /** What the program returned, once the thread has ended well. */
    @SuppressWarnings("NullAway") // null only where T allows it
    T result() {
        return result;
    }

    /** What the program threw, once the thread has ended. */
    @Nullable
    Throwable thrown() {
        return thrown;
    }

    private void runSharing() {
        try {
            JvmDevice.instance().sharing(world.size(), this::runScoped);
        } catch (Throwable e) {
            failed(e);
        } finally {
            world.end(state);
            running.countDown();
        }
    }

    /** The failure is made known, and nobody is left touching this rank's arrays, before the scope frees them. */
    private void runScoped() {
        try (Scope scope = Scope.open()) {
            InProcessCommunicator communicator = new InProcessCommunicator(group, state, null);
            try {
                T value = Ranks.setting.run(communicator, body);
                communicator.finish();
                keep(scope, value);
                result = value;
            } catch (Throwable e) {
                failed(e);
                world.quiesce();
                communicator.abandon();
            }
        }
    }

    private void failed(Throwable e) {
        if (thrown == null) thrown = e;
        world.fail(Failure.of(state, e));
    }

    /** Hands what a rank returns, where that owns memory, to the scope around the rank's. */
    static void keep(Scope scope, @Nullable Object value) {
        switch (value) {
            case Scope.Owned owned -> scope.keep(owned);
            case Iterable<?> values -> values.forEach(element -> keep(scope, element));
            case Map<?, ?> values -> values.values().forEach(element -> keep(scope, element));
            case Optional<?> perhaps -> perhaps.ifPresent(element -> keep(scope, element));
            case Object[] values -> Arrays.asList(values).forEach(element -> keep(scope, element));
            case null, default -> {}
        }
    }
}

package io.penstock.array;

import io.penstock.kernel.Kernel;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Whether an operation on arrays of the JVM has its kernel. Until loops have worked on so many elements that it is worth one they go
 * on, and then until a thread of its own has made it, so that no operation waits for a compiler.
 */
final class KernelUse {
    /** Elements that loops take some milliseconds for, which is what it takes to make a kernel. */
    static final long WORTH = 1 << 20;

    private static final System.Logger LOG = System.getLogger("io.penstock.array");
    private static final Map<Key, KernelUse> KNOWN = new ConcurrentHashMap<>();

    /** A thread that ends when it has nothing to do, and does not keep the process from ending. */
    private static final ThreadPoolExecutor MAKER = new ThreadPoolExecutor(
            0,
            1,
            1,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> Thread.ofPlatform()
                    .daemon()
                    .name("penstock-kernels")
                    .inheritInheritableThreadLocals(false)
                    .unstarted(task));

    private record Key(Class<?> function, Class<?> out, List<Class<?>> in, int axes) {}

    /** Racing updates lose one another, which does no harm. */
    private long elements;

    private boolean asked;
    private volatile boolean ready;

    private KernelUse() {}

    /**
     * That of the kernels of one function over elements of these types.
     *
     * @param function the class of its lambda
     */
    static KernelUse of(Class<?> function, Class<?> out, List<Class<?>> in, int axes) {
        return KNOWN.computeIfAbsent(new Key(function, out, List.copyOf(in), axes), k -> new KernelUse());
    }

    boolean isReady() {
        return ready;
    }

    /** Notes that a loop does so many elements; has the kernel made where that is worth it by now. */
    void loopDoes(long count, Supplier<Kernel> kernel) {
        elements += count;
        if (elements >= WORTH) ask(kernel);
    }

    private synchronized void ask(Supplier<Kernel> kernel) {
        if (asked) return;
        asked = true;
        MAKER.execute(() -> make(kernel));
    }

    private void make(Supplier<Kernel> kernel) {
        try {
            kernel.get().load();
            ready = true;
        } catch (RuntimeException | Error e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "a kernel of arrays could not be made, so loops go on in its place",
                    e);
        }
    }
}

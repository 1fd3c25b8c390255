package io.penstock.runtime;

import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A stretch of a thread's program that owns the arrays made in it: when it closes, they are freed.
 *
 * <pre>{@code
 * try (Scope scope = Scope.open()) {
 *     NDArray sum = a.add(b);                      // freed when the scope closes
 *     return scope.keep(sum.multiply(c));          // handed to the scope around this one
 * }
 * }</pre>
 *
 * <p>Scopes of one thread nest and must be closed in the reverse order of their opening, by the thread that opened them. An
 * array may be closed before its scope, by any thread.
 */
public final class Scope implements AutoCloseable {
    private static final ThreadLocal<@Nullable Scope> INNERMOST = new ThreadLocal<>();

    private final Thread owner = Thread.currentThread();
    private final @Nullable Scope outer;
    private @Nullable Allocation first;
    private boolean closed;

    private Scope(@Nullable Scope outer) {
        this.outer = outer;
    }

    /** Opens a scope within this thread's innermost open one. */
    public static Scope open() {
        Scope scope = new Scope(INNERMOST.get());
        INNERMOST.set(scope);
        return scope;
    }

    /**
     * Runs {@code body} as if this thread had no open scope, so that what it allocates lives until it is closed or becomes
     * unreachable. For memory that an object keeps from one call to the next.
     *
     * @return what {@code body} returns
     */
    public static <T> T outside(Supplier<T> body) {
        Scope innermost = INNERMOST.get();
        INNERMOST.remove();
        try {
            return body.get();
        } finally {
            if (innermost != null) INNERMOST.set(innermost);
        }
    }

    /**
     * Hands an array over to the scope around this one (outside any scope, to the garbage collector), so that it outlives
     * this scope. An array that this scope does not own stays where it is.
     *
     * @return {@code owned}
     * @throws IllegalStateException when this scope is closed or another thread's
     */
    public <T extends Owned> T keep(T owned) {
        Objects.requireNonNull(owned, "owned is null");
        checkThread();
        if (closed) throw new IllegalStateException("the scope is closed, and what it owned is freed");
        owned.forEachBuffer(buffer -> buffer.allocation().move(this, outer));
        return owned;
    }

    /**
     * Frees what was allocated in this scope and not kept. Closing again does nothing.
     *
     * @throws IllegalStateException when this is not the innermost open scope of the calling thread; nothing is freed then
     */
    @Override
    public void close() {
        if (closed) return;
        checkThread();
        if (INNERMOST.get() != this)
            throw new IllegalStateException("scopes must be closed in the reverse order of their opening;"
                    + " a scope opened within this one is still open");
        closed = true;
        if (outer == null) INNERMOST.remove();
        else INNERMOST.set(outer);
        for (Allocation next = first(); next != null; next = first()) next.close();
    }

    private void checkThread() {
        if (Thread.currentThread() != owner)
            throw new IllegalStateException("a scope belongs to the thread that opened it, " + owner.getName()
                    + "; it was used by " + Thread.currentThread().getName());
    }

    /** The innermost open scope of this thread. */
    static @Nullable Scope innermost() {
        return INNERMOST.get();
    }

    // The list is synchronized because another thread may close an array of this scope early. An allocation's own lock
    // is
    // always taken before that of its scope.

    private synchronized @Nullable Allocation first() {
        return first;
    }

    synchronized void link(Allocation allocation) {
        allocation.next = first;
        allocation.previous = null;
        if (first != null) first.previous = allocation;
        first = allocation;
    }

    synchronized void unlink(Allocation allocation) {
        Allocation next = allocation.next;
        Allocation previous = allocation.previous;
        if (previous != null) previous.next = next;
        else first = next;
        if (next != null) next.previous = previous;
        allocation.next = null;
        allocation.previous = null;
    }

    /** Something that owns device memory and can say which. */
    public interface Owned {
        /** Shows each buffer to {@code visitor}. */
        void forEachBuffer(Consumer<Buffer> visitor);
    }
}

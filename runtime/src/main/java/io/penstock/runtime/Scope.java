package io.penstock.runtime;

import java.util.Objects;
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
 * <p>Scopes of one thread nest and must be closed in the reverse order of their opening, by the thread that opened them.
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
     * this scope.
     *
     * @return {@code owned}
     */
    public <T extends Owned> T keep(T owned) {
        Objects.requireNonNull(owned, "owned is null");
        check();
        owned.forEachBuffer(buffer -> {
            Allocation allocation = buffer.allocation();
            if (allocation.scope == this) {
                unlink(allocation);
                if (outer != null) outer.link(allocation);
            }
        });
        return owned;
    }

    /**
     * Frees what was allocated in this scope and not kept.
     *
     * @throws IllegalStateException when this is not the innermost open scope of the calling thread
     */
    @Override
    public void close() {
        if (closed) return;
        check();
        if (INNERMOST.get() != this)
            throw new IllegalStateException("scopes must be closed in the reverse order of their opening");
        closed = true;
        if (outer == null) INNERMOST.remove();
        else INNERMOST.set(outer);
        while (first != null) first.close();
    }

    private void check() {
        if (Thread.currentThread() != owner)
            throw new IllegalStateException("a scope belongs to the thread that opened it, " + owner.getName());
    }

    static void adopt(Allocation allocation) {
        Scope scope = INNERMOST.get();
        if (scope != null) scope.link(allocation);
    }

    static void forget(Allocation allocation) {
        Scope scope = allocation.scope;
        if (scope != null) scope.unlink(allocation);
    }

    private synchronized void link(Allocation allocation) {
        allocation.scope = this;
        allocation.next = first;
        allocation.previous = null;
        if (first != null) first.previous = allocation;
        first = allocation;
    }

    /** Synchronized because another thread may close an array of this scope early. */
    private synchronized void unlink(Allocation allocation) {
        Allocation next = allocation.next;
        Allocation previous = allocation.previous;
        if (previous != null) previous.next = next;
        else first = next;
        if (next != null) next.previous = previous;
        allocation.scope = null;
        allocation.next = null;
        allocation.previous = null;
    }

    /** Something that owns device memory and can say which. */
    public interface Owned {
        /** Shows each buffer to {@code visitor}. */
        void forEachBuffer(java.util.function.Consumer<Buffer> visitor);
    }
}

package io.penstock.comm;

import io.penstock.runtime.Occupation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a rank has begun through one communicator and not awaited. Each operation occupies the memory of its arrays: another rank
 * may be copying while an exception closes the scope that owns them, and queues may be handed work on them.
 */
final class Outstanding {
    private final Map<Operation, Occupation> operations = new LinkedHashMap<>();

    /** An operation that occupies memory is under way. */
    void begin(Operation operation, Request request, Occupation memory) {
        operations.put(operation, memory);
        memory.progress(request::isDone, request::await);
    }

    /** An operation that occupies memory is under way once {@code first} has made it so; where that throws, it is as if it had never been begun. */
    void begin(Operation operation, Request request, Occupation memory, Runnable first) {
        begin(operation, request, memory);
        try {
            Occupation.within(first);
        } catch (RuntimeException | Error e) {
            end(operation, e);
            throw e;
        }
    }

    /** Does nothing for an operation that was never begun here, as blocking ones are not. */
    void end(Operation operation) {
        end(operation, null);
    }

    /** Ends an operation that failed. */
    void end(Operation operation, @Nullable Throwable failure) {
        Occupation memory = operations.remove(operation);
        if (memory != null) memory.end(failure);
    }

    /** Lets go of everything; nobody may be touching the arrays any more. */
    void abandon() {
        CommunicatorException failure = new CommunicatorException("the ranks failed while this was under way");
        operations.values().forEach(memory -> memory.end(failure));
        operations.clear();
    }

    List<String> describe() {
        return operations.keySet().stream().map(Operation::describe).toList();
    }
}

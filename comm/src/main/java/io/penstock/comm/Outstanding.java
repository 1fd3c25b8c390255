package io.penstock.comm;

import io.penstock.array.NDArray;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a rank has begun through one communicator and not awaited. The memory of its arrays is held: another rank may be copying
 * while an exception closes the scope that owns them.
 */
final class Outstanding {
    private final Map<Operation, List<NDArray>> operations = new LinkedHashMap<>();

    void begin(Operation operation, List<NDArray> arrays) {
        for (NDArray array : arrays) array.buffer().allocation().hold();
        operations.put(operation, arrays);
    }

    /** Does nothing for an operation that was never begun here, as blocking ones are not. */
    void end(Operation operation) {
        List<NDArray> arrays = operations.remove(operation);
        if (arrays != null) release(arrays);
    }

    /** Lets go of everything; nobody may be touching the arrays any more. */
    void abandon() {
        operations.values().forEach(Outstanding::release);
        operations.clear();
    }

    private static void release(List<NDArray> arrays) {
        for (NDArray array : arrays) array.buffer().allocation().release();
    }

    List<String> describe() {
        return operations.keySet().stream().map(Operation::describe).toList();
    }
}

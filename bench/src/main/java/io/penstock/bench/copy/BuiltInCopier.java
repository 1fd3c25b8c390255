package io.penstock.bench.copy;

import io.penstock.runtime.Access;
import io.penstock.runtime.Buffer;
import io.penstock.runtime.DeviceArgument;
import io.penstock.runtime.DeviceFunction;
import io.penstock.runtime.DeviceLaunch;
import io.penstock.runtime.Queue;
import io.penstock.runtime.Region;
import io.penstock.runtime.Task;
import java.util.List;

/** The kernel in the device's own language; what it touches is declared by hand, a column at a time. */
final class BuiltInCopier implements Copier {
    private final BuiltIn code;

    BuiltInCopier(BuiltIn code) {
        this.code = code;
    }

    @Override
    public String language() {
        return code.language(); // CUDA C++ or OpenCL C
    }

    @Override
    public Runnable all(Queue queue, Columns columns) {
        return launch(queue, columns.to(), columns.from(), columns.columns() * columns.rows(), 0);
    }

    @Override
    public Runnable slice(Queue queue, Columns columns, int column) {
        return launch(
                queue, columns.column(columns.to(), column), columns.column(columns.from(), column), columns.rows(), 0);
    }

    @Override
    public Runnable column(Queue queue, Columns columns, int column) {
        return launch(queue, columns.to(), columns.from(), columns.rows(), column);
    }

    private Runnable launch(Queue queue, Buffer to, Buffer from, long rows, int column) {
        DeviceFunction function = code.function(queue.device(), "copyColumn");
        DeviceLaunch launch = BuiltIn.bind(
                function,
                rows,
                List.of(
                        new DeviceArgument.Memory(to),
                        BuiltIn.argument(to.offset() / Float.BYTES),
                        new DeviceArgument.Memory(from),
                        BuiltIn.argument(from.offset() / Float.BYTES),
                        BuiltIn.argument(rows),
                        BuiltIn.argument(column)));
        Region region = Region.contiguous(column * rows * Float.BYTES, rows * Float.BYTES);
        Task task = new Task(
                "copyColumn", List.of(Access.write(to, region), Access.read(from, region)), () -> launch.issue(queue));
        return () -> queue.submit(task);
    }
}

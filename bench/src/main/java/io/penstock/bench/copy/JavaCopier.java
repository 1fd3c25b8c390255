package io.penstock.bench.copy;

import io.penstock.kernel.Floats;
import io.penstock.kernel.Kernel;
import io.penstock.kernel.Launch;
import io.penstock.runtime.Buffer;
import io.penstock.runtime.Device;
import io.penstock.runtime.MemoryKind;
import io.penstock.runtime.Queue;
import java.util.Optional;

/** The kernels in Java. Nobody says what they touch: that is derived from their code. */
final class JavaCopier implements Copier {
    private static final Kernel ALL = Kernel.of(CopyKernels::copyAll);
    private static final Kernel COLUMN = Kernel.of(CopyKernels::copyColumn);

    /** Why a device runs no kernels in Java; empty when it does. */
    static Optional<String> obstacle(Device device) {
        MemoryKind kind = device.equals(Device.jvm()) ? MemoryKind.HOST : MemoryKind.DEVICE;
        try (Columns few = Columns.allocate(device, kind, 8, 2)) {
            Queue queue = device.newQueue();
            new JavaCopier().all(queue, few).run();
            queue.await();
            few.check();
            return Optional.empty();
        } catch (RuntimeException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public String language() {
        return "Java";
    }

    @Override
    public Runnable all(Queue queue, Columns columns) {
        long n = columns.columns() * columns.rows();
        return flat(queue, columns.to(), columns.from(), n);
    }

    @Override
    public Runnable slice(Queue queue, Columns columns, int column) {
        return flat(
                queue, columns.column(columns.to(), column), columns.column(columns.from(), column), columns.rows());
    }

    private static Runnable flat(Queue queue, Buffer to, Buffer from, long n) {
        Floats written = Floats.of(to, n);
        Floats read = Floats.of(from, n);
        Launch launch = ALL.over(n).prepare(written, read);
        return () -> launch.launch(queue);
    }

    @Override
    public Runnable column(Queue queue, Columns columns, int column) {
        Floats written = matrix(columns.to(), columns);
        Floats read = matrix(columns.from(), columns);
        Launch launch = COLUMN.over(columns.rows()).prepare(written, read, column);
        return () -> launch.launch(queue);
    }

    private static Floats matrix(Buffer buffer, Columns columns) {
        long[] shape = {columns.rows(), columns.columns()};
        long[] columnAfterColumn = {1, columns.rows()};
        return Floats.of(buffer, 0, shape, columnAfterColumn);
    }
}

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.kernel.Floats;
import io.penstock.kernel.Kernel;
import io.penstock.kernel.WorkItem;
import io.penstock.runtime.Device;
import io.penstock.runtime.Queue;
import io.penstock.runtime.Trace;
import java.nio.file.Path;
import java.util.List;

/** The heat equation on two devices, half of the rows on each; what each does when is traced. */
public class TwoDevices {
    static final int ROWS = Integer.getInteger("size", 2048);
    static final int COLUMNS = ROWS;

    /** One element of the rows from {@code first} on; the first and last column keep their temperature. */
    static void step(WorkItem at, Floats now, Floats next, int first, float r) {
        long i = first + at.y(), j = at.x() + 1;
        float neighbours = now.get(i - 1, j) + now.get(i + 1, j) + now.get(i, j - 1) + now.get(i, j + 1);
        next.set(i, j, now.get(i, j) + r * (neighbours - 4 * now.get(i, j)));
    }

    /** Half of the rows, with one more at each end, and the queues that work on them and fetch the neighbour's row. */
    static class Half {
        final Queue work;
        final Queue fetch;
        NDArray now;
        NDArray next;

        Half(Device device) {
            work = device.newQueue();
            fetch = device.newQueue();
            now = NDArray.empty(device, DType.F32, ROWS / 2 + 2, COLUMNS);
            next = NDArray.empty(device, DType.F32, ROWS / 2 + 2, COLUMNS);
        }

        void step(int first, int count) {
            Kernel.of(TwoDevices::step).over(count, COLUMNS - 2).launch(work, now, next, first, 0.2f);
        }

        void fetch(int row, Half from, int fromRow) {
            fetch.during(() -> now.at(0, row).assign(from.now.at(0, fromRow)));
        }

        void swap() {
            NDArray spare = now;
            now = next;
            next = spare;
        }
    }

    static void steps(Half upper, Half lower, int count) {
        int last = ROWS / 2;
        for (int k = 0; k < count; k++) {
            upper.fetch(last + 1, lower, 1);
            lower.fetch(0, upper, last);
            upper.step(1, last - 1); // all rows but the one that needs the other half's
            lower.step(2, last - 1);
            upper.step(last, 1);
            lower.step(1, 1);
            upper.swap();
            lower.swap();
        }
    }

    public static void main(String[] args) {
        List<Device> found = Device.all(); // the JVM first
        Half upper = new Half(found.get(Math.min(1, found.size() - 1)));
        Half lower = new Half(found.get(Math.min(2, found.size() - 1)));
        for (Half half : List.of(upper, lower)) {
            half.now.assign(NDArray.zeros(DType.F32, ROWS / 2 + 2, COLUMNS));
            half.next.assign(half.now);
        }
        upper.now.slice(0, ROWS / 2 - 100, ROWS / 2 + 1).slice(1, 300, 600).fill(1);

        steps(upper, lower, 6);
        upper.work.await(); // for the picture's sake: kernels are compiled by now, and the devices idle
        lower.work.await();
        Path trace = Path.of(args.length > 1 ? args[1] : "two-devices.json");
        try (Trace _ = Trace.to(trace)) { // what happens until it is closed
            steps(upper, lower, 4);
        }
        int last = ROWS / 2;
        NDArray whole = NDArray.empty(Device.jvm(), DType.F32, ROWS, COLUMNS);
        whole.slice(0, 0, last).assign(upper.now.slice(0, 1, last + 1));
        whole.slice(0, last, ROWS).assign(lower.now.slice(0, 1, last + 1));
        System.out.println(whole);
        whole.save(Path.of(args.length > 0 ? args[0] : "two-devices.npy"));
    }
}

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.kernel.Doubles;
import io.penstock.kernel.Kernel;
import io.penstock.kernel.WorkItem;
import java.nio.file.Path;

/** A hundred explicit steps of the heat equation by a kernel of one's own. */
public class Heat {
    /** What one work-item does: row y, column x. The edge keeps its temperature. */
    static void step(WorkItem at, Doubles now, Doubles next, double r) {
        long i = at.y(), j = at.x();
        if (i == 0 || j == 0 || i == at.sizeY() - 1 || j == at.sizeX() - 1) {
            next.set(i, j, now.get(i, j));
            return;
        }
        double neighbours = now.get(i - 1, j) + now.get(i + 1, j) + now.get(i, j - 1) + now.get(i, j + 1);
        next.set(i, j, now.get(i, j) + r * (neighbours - 4 * now.get(i, j)));
    }

    public static void main(String[] args) {
        var now = NDArray.zeros(DType.F64, 60, 90); // 60 rows, 90 columns
        now.slice(0, 20, 40).slice(1, 30, 60).fill(1); // now[20:40, 30:60] = 1; views share memory
        var next = NDArray.empty(DType.F64, now.shape());

        var step = Kernel.of(Heat::step).over(now.shape()); // a work-item for each element
        for (int k = 0; k < 100; k++) {
            step.launch(now, next, 0.2);
            var spare = now;
            now = next;
            next = spare;
        }
        System.out.println(now);
        now.save(Path.of(args.length > 0 ? args[0] : "heat.npy"));
    }
}

package gallery;

import io.penstock.kernel.Floats;
import io.penstock.kernel.Kernel;
import io.penstock.kernel.WorkItem;
import io.penstock.runtime.Queue;

/** N bodies: each feels the gravity of all others, which a group reads together, tile by tile. */
public class NBody {
    private static final int TILE = 64;
    private static final Kernel ACCELERATE = Kernel.of(NBody::accelerate);
    private static final Kernel MOVE = Kernel.of(NBody::move);

    /** A vector in space: a record is a value, and its components stay in registers. */
    record Vec(float x, float y, float z) {
        Vec plus(Vec other) {
            return new Vec(x + other.x, y + other.y, z + other.z);
        }

        Vec minus(Vec other) {
            return new Vec(x - other.x, y - other.y, z - other.z);
        }

        Vec times(float factor) {
            return new Vec(factor * x, factor * y, factor * z);
        }

        float dot(Vec other) {
            return x * other.x + y * other.y + z * other.z;
        }

        static Vec of(Floats rows, long row) {
            return new Vec(rows.get(row, 0), rows.get(row, 1), rows.get(row, 2));
        }

        void store(Floats rows, long row) {
            rows.set(row, 0, x);
            rows.set(row, 1, y);
            rows.set(row, 2, z);
        }
    }

    /** Adds gravity times {@code dt} to the velocities; a body's row holds its place and its mass. */
    static void accelerate(WorkItem at, Floats velocities, Floats bodies, float dt) {
        Floats tile = at.localFloats(TILE, 4);
        long n = bodies.rows(), own = at.x(), i = at.localX();
        Vec here = own < n ? Vec.of(bodies, own) : new Vec(0, 0, 0);
        Vec pull = new Vec(0, 0, 0);
        for (long first = 0; first < n; first += TILE) {
            if (first + i < n) for (int c = 0; c < 4; c++) tile.set(i, c, bodies.get(first + i, c));
            at.barrier();
            long many = Math.min(TILE, n - first);
            for (long k = 0; k < many; k++) {
                Vec way = Vec.of(tile, k).minus(here);
                float square = way.dot(way) + 1e-3f; // softened, so that close bodies do not fly apart
                pull = pull.plus(way.times(tile.get(k, 3) / (square * (float) Math.sqrt(square))));
            }
            at.barrier();
        }
        if (own < n) Vec.of(velocities, own).plus(pull.times(dt)).store(velocities, own);
    }

    static void move(WorkItem at, Floats bodies, Floats velocities, float dt) {
        Vec.of(bodies, at.x()).plus(Vec.of(velocities, at.x()).times(dt)).store(bodies, at.x());
    }

    /** Moves the bodies by a number of steps. */
    public static void run(Queue queue, Floats bodies, Floats velocities, float dt, int steps) {
        long n = bodies.rows();
        for (int k = 0; k < steps; k++) {
            ACCELERATE.over(Math.ceilDiv(n, TILE) * TILE).groups(TILE).launch(queue, velocities, bodies, dt);
            MOVE.over(n).launch(queue, bodies, velocities, dt);
        }
    }
}

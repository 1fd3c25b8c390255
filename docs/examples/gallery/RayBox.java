package gallery;

import io.penstock.kernel.Floats;
import io.penstock.kernel.Kernel;
import io.penstock.kernel.WorkItem;
import io.penstock.runtime.Queue;

/** Ray-box: what a camera sees of boxes on a floor, with shadows. */
public class RayBox {
    private static final Kernel RENDER = Kernel.of(RayBox::render);
    private static final float FAR = 1e30f;

    /** A vector in space. */
    record Vec(float x, float y, float z) {
        Vec plus(Vec other) {
            return new Vec(x + other.x, y + other.y, z + other.z);
        }

        Vec times(float factor) {
            return new Vec(factor * x, factor * y, factor * z);
        }

        float dot(Vec other) {
            return x * other.x + y * other.y + z * other.z;
        }

        Vec unit() {
            return times(1 / (float) Math.sqrt(dot(this)));
        }
    }

    /** A ray {@code from + t * way}. */
    record Ray(Vec from, Vec way) {
        Vec at(float t) {
            return from.plus(way.times(t));
        }
    }

    /** Where a ray enters a box: the distance, and the axis that it crosses there. */
    record Hit(float distance, int axis) {
        static final float NONE = FAR;
    }

    /** The slabs of Kay and Kajiya (1986): a ray is in the box while it is between all three pairs of planes. */
    private static Hit enter(Ray ray, Floats boxes, long box) {
        float near = -FAR, far = FAR;
        int axis = 0;
        for (int k = 0; k < 3; k++) {
            float from = component(ray.from(), k), inverse = 1 / component(ray.way(), k);
            float one = (boxes.get(box, k) - from) * inverse;
            float two = (boxes.get(box, k + 3) - from) * inverse;
            float in = Math.min(one, two);
            if (in > near) {
                near = in;
                axis = k;
            }
            far = Math.min(far, Math.max(one, two));
        }
        return new Hit(near > 0 && near < far ? near : Hit.NONE, axis);
    }

    private static float component(Vec v, int axis) {
        return axis == 0 ? v.x() : axis == 1 ? v.y() : v.z();
    }

    /** The nearest hit of all boxes, else of the floor {@code y = 0}. */
    private static Hit nearest(Ray ray, Floats boxes) {
        float floor = -ray.from().y() / ray.way().y();
        Hit nearest = new Hit(floor > 1e-3f ? floor : Hit.NONE, 1);
        for (long box = 0; box < boxes.rows(); box++) {
            Hit hit = enter(ray, boxes, box);
            if (hit.distance() < nearest.distance()) nearest = hit;
        }
        return nearest;
    }

    /** The light that reaches the eye through each pixel, 0 to 1. */
    static void render(WorkItem at, Floats light, Floats boxes) {
        float u = (at.x() - 0.5f * at.sizeX()) / at.sizeY(), v = (0.5f * at.sizeY() - at.y()) / at.sizeY();
        Ray ray = new Ray(new Vec(0.5f, 2.5f, -6), new Vec(u, v - 0.3f, 1).unit());
        Hit hit = nearest(ray, boxes);
        light.set(at.y(), at.x(), hit.distance() == Hit.NONE ? 0.85f + 0.3f * v : shade(ray, hit, boxes));
    }

    private static float shade(Ray ray, Hit hit, Floats boxes) {
        Vec lamp = new Vec(-0.5f, 0.7f, -0.4f).unit();
        float side = component(ray.way(), hit.axis()) > 0 ? -1 : 1; // outwards
        float lambert = Math.max(0, side * component(lamp, hit.axis()));
        Ray shadow = new Ray(ray.at(hit.distance() * 0.9999f), lamp);
        boolean lit = nearest(shadow, boxes).distance() == Hit.NONE;
        return 0.15f + (lit ? 0.8f * lambert : 0);
    }

    /** Renders boxes, each a row of its least x, y, z and its greatest. */
    public static void run(Queue queue, Floats light, Floats boxes) {
        RENDER.over(light.rows(), light.columns()).launch(queue, light, boxes);
    }
}

package io.penstock.array;

import io.penstock.runtime.Access;
import io.penstock.runtime.Box;
import io.penstock.runtime.HostMemory;
import io.penstock.runtime.Queue;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Copies and fills of arrays that are not all the JVM's own, as work of queues. Nothing here waits: who needs the elements does.
 *
 * <p>Elements that lie in boxes on both sides go by the devices' copy engines. Others are first brought into order on a device that
 * can, and only where neither side can they travel in many small pieces.
 */
final class Transfer {
    /** The shortest rows that copy engines are left to; kernels are faster at shorter ones. */
    private static final long ROW = 256;

    /** Bytes that went from one device to another. */
    static final LongAdder MOVED = new LongAdder();

    private Transfer() {}

    /** {@code y = x}, converted, for arrays of one shape that do not overlap unless they are the same. */
    static void assign(NDArray y, NDArray x) {
        if (y.size() == 0) return;
        if (x.device().equals(y.device())) {
            within(y, x);
            return;
        }
        NDArray distinct = distinct(x);
        if (distinct.size() < x.size()) {
            try (NDArray here = distinct.to(y.device())) {
                assign(y, here.broadcastTo(y.shape()));
            }
        } else if (x.dtype() != y.dtype()) convertedBetween(y, x);
        else between(y, x);
    }

    /** The elements of a view that repeats some, each once. */
    private static NDArray distinct(NDArray x) {
        NDArray distinct = x;
        long[] strides = x.strides();
        for (int k = 0; k < strides.length; k++)
            if (strides[k] == 0 && x.dim(k) > 1) distinct = distinct.slice(k, 0, 1);
        return distinct;
    }

    private static void convertedBetween(NDArray y, NDArray x) {
        boolean there =
                Placement.computes(x.device()) && (!Placement.isJvm(x.device()) || !Placement.computes(y.device()));
        if (there) {
            try (NDArray converted = x.as(y.dtype())) {
                between(y, converted);
            }
        } else {
            try (NDArray moved = x.to(y.device())) {
                within(y, moved);
            }
        }
    }

    private static void within(NDArray y, NDArray x) {
        if (Overlap.isSame(y, x)) return;
        if (y.dtype() == x.dtype()) {
            Walk walk = Walk.forward(y, x);
            Boxes boxes = Boxes.of(walk, y.dtype().bytes());
            boolean good = boxes != null && !boxes.clash(y, x) && boxes.isQuick();
            if (good || !Placement.computes(y.device())) {
                pieces(y.device().queue(), y, x, walk);
                return;
            }
        }
        ElementKernels.convert(y, x);
    }

    /** Copies between two devices. */
    private static void between(NDArray y, NDArray x) {
        Walk walk = Walk.forward(y, x);
        Boxes boxes = Boxes.of(walk, y.dtype().bytes());
        if (boxes != null && boxes.isQuick()) {
            move(y, x, walk);
            return;
        }
        NDArray source = x.isContiguous() || !Placement.computes(x.device()) ? x : x.copy();
        NDArray target = y.isContiguous() || !Placement.computes(y.device())
                ? y
                : NDArray.empty(y.device(), y.dtype(), y.shape());
        if (source == x && target == y) move(y, x, walk);
        else assign(target, source);
        if (target != y) {
            y.assign(target);
            target.close();
        }
        if (source != x) source.close();
    }

    private static void move(NDArray y, NDArray x, Walk walk) {
        Queue queue = Placement.isJvm(y.device())
                ? Placement.reader(x.device())
                : y.device().queue();
        pieces(queue, y, x, walk);
        MOVED.add(y.size() * y.dtype().bytes());
    }

    private static void pieces(Queue queue, NDArray y, NDArray x, Walk walk) {
        Boxes boxes = Boxes.of(walk, y.dtype().bytes());
        if (boxes != null && !boxes.clash(y, x)) queue.copy(x.buffer(), boxes.box(1), y.buffer(), boxes.box(0));
        else for (long i = 0; i < walk.extent(0); i++) pieces(queue, y, x, walk.at(i));
    }

    /** Sets every element to one value. */
    static void fill(NDArray y, double re, double im) {
        if (y.size() == 0) return;
        int bytes = y.dtype().bytes();
        long low;
        long high;
        try (NDArray value = NDArray.onHost(y.dtype(), 2)) {
            value.fill(0);
            Elements.set(y.dtype(), value.address(), re, im);
            low = bytes == 1
                    ? HostMemory.ALL.get(ValueLayout.JAVA_BYTE, value.address())
                    : bytes == 4
                            ? HostMemory.ALL.get(ValueLayout.JAVA_INT_UNALIGNED, value.address())
                            : HostMemory.ALL.get(ValueLayout.JAVA_LONG_UNALIGNED, value.address());
            high = bytes == 16 ? HostMemory.ALL.get(ValueLayout.JAVA_LONG_UNALIGNED, value.address() + 8) : 0;
        }
        fill(y.device().queue(), y, Walk.forward(y), low, high, bytes);
    }

    private static void fill(Queue queue, NDArray y, Walk walk, long low, long high, int bytes) {
        Boxes boxes = Boxes.of(walk, bytes);
        if (boxes != null) queue.fill(y.buffer(), boxes.box(0), low, high, bytes);
        else for (long i = 0; i < walk.extent(0); i++) fill(queue, y, walk.at(i), low, high, bytes);
    }

    /** A walk as one box of bytes in each array. */
    private record Boxes(Walk walk, int axes, long rowBytes) {
        /** The boxes of a walk over elements of one size; null when they are none. */
        static @Nullable Boxes of(Walk walk, int bytes) {
            int last = walk.axes() - 1;
            boolean whole = Arrays.stream(walk.steps()[last]).allMatch(step -> step == bytes) || walk.extent(last) == 1;
            Boxes boxes = whole ? new Boxes(walk, last, walk.extent(last) * bytes) : new Boxes(walk, last + 1, bytes);
            if (boxes.axes > 2) return null;
            for (int a = 0; a < walk.steps()[0].length; a++) if (!boxes.fits(a)) return null;
            return boxes;
        }

        private boolean fits(int array) {
            long least = rowBytes;
            for (int k = axes - 1; k >= 0; k--) {
                if (walk.extent(k) == 1) continue;
                if (walk.step(k, array) < least) return false;
                least = walk.step(k, array) * walk.extent(k);
            }
            return true;
        }

        Box box(int array) {
            long rows = axes > 0 ? walk.extent(axes - 1) : 1;
            long rowStride = axes > 0 ? walk.step(axes - 1, array) : rowBytes;
            long planes = axes > 1 ? walk.extent(0) : 1;
            long planeStride = axes > 1 ? walk.step(0, array) : 0;
            return new Box(walk.start(array), rowBytes, rows, rowStride, planes, planeStride);
        }

        /** Whether copy engines are good at it. */
        boolean isQuick() {
            return rowBytes >= ROW || box(0).rows() == 1 || (box(0).isContiguous() && box(1).isContiguous());
        }

        /** Whether the boxes of two arrays might share bytes. */
        boolean clash(NDArray y, NDArray x) {
            if (y.buffer().allocation() != x.buffer().allocation()) return false;
            return Access.write(y.buffer(), box(0).region())
                    .region()
                    .overlaps(Access.read(x.buffer(), box(1).region()).region());
        }
    }
}

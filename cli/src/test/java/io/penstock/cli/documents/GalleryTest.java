package io.penstock.cli.documents;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.runtime.Device;
import io.penstock.runtime.Queue;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** That the kernels of the gallery find what they should, on every kind of device. */
class GalleryTest {
    @Nested
    class OnTheJvm extends GalleryCases {
        @Override
        Queue queue() {
            return Device.jvm().queue();
        }
    }

    @Nested
    class OnOpenCl extends GalleryCases {
        @Override
        Queue queue() {
            return first("opencl");
        }
    }

    @Nested
    @Tag("gpu")
    class OnCuda extends GalleryCases {
        @Override
        Queue queue() {
            return first("cuda");
        }
    }

    private static Queue first(String kind) {
        Device device = Device.all().stream()
                .filter(d -> d.name().startsWith(kind))
                .findFirst()
                .orElse(null);
        assumeTrue(device != null, "no device of " + kind);
        return device.newQueue();
    }
}

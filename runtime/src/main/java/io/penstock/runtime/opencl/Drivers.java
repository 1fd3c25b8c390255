package io.penstock.runtime.opencl;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.penstock.foreign.Libc;
import io.penstock.foreign.OpenCl;
import io.penstock.runtime.JvmSignals;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * The OpenCL drivers of this machine, loaded once for the process, when somebody first asks for them.
 *
 * <p>Drivers are guests: what would take the JVM's signals is switched off before they are loaded, and given back afterwards.
 */
final class Drivers {
    private static final String PLATFORM = "penstock.opencl.platform";

    private static final class Loaded {
        static final Drivers DRIVERS = load();
    }

    private final List<OpenClDevice> devices;
    private final String obstacle;

    private Drivers(List<OpenClDevice> devices, String obstacle) {
        this.devices = List.copyOf(devices);
        this.obstacle = obstacle;
    }

    static Drivers get() {
        return Loaded.DRIVERS;
    }

    /** The devices of all drivers, in the loader's order; empty when there are none. */
    List<OpenClDevice> devices() {
        return devices;
    }

    /** Why there are no devices; empty when there are some. */
    String obstacle() {
        return obstacle;
    }

    private static Drivers load() {
        JvmSignals signals = JvmSignals.recordAll();
        try {
            prepareEnvironment();
            List<OpenClDevice> devices = list(OpenCl.load());
            return new Drivers(devices, devices.isEmpty() ? whyNone() : "");
        } catch (IllegalArgumentException | OpenClException e) {
            return new Drivers(List.of(), String.valueOf(e.getMessage()));
        } finally {
            signals.restore("an OpenCL driver");
        }
    }

    private static String whyNone() {
        String asked = System.getProperty(PLATFORM);
        return asked != null
                ? "no OpenCL driver with a device has '" + asked + "' in its platform's name, which " + PLATFORM
                        + " asks for"
                : "the loader of OpenCL drivers is there, but no driver has a device; install one, such as"
                        + " pocl-opencl-icd on Debian and Ubuntu, or the GPU's own";
    }

    /**
     * Switches off what PoCL, an OpenCL driver for CPUs, does to signals. The property {@code penstock.opencl.devices} lets it
     * show that many devices, all of which run on the same cores: for tests of several devices.
     */
    private static void prepareEnvironment() {
        Libc.setenv("POCL_SIGFPE_HANDLER", "0", 0);
        Libc.setenv("POCL_SIGUSR2_HANDLER", "0", 0);
        String property = System.getProperty("penstock.opencl.devices");
        if (property == null) return;
        if (!property.matches("[1-9][0-9]?"))
            throw new IllegalArgumentException("penstock.opencl.devices is '" + property + "'; expected 1 to 99");
        int asked = Integer.parseInt(property);
        Libc.setenv("POCL_DEVICES", String.join(" ", Collections.nCopies(asked, "pthread")), 1);
        // So that two pieces of work overlap on a machine of one core as well.
        Libc.setenv("POCL_PTHREAD_MIN_THREADS", Integer.toString(2 * asked), 0);
    }

    private static List<OpenClDevice> list(OpenCl cl) {
        List<OpenClDevice> devices = new ArrayList<>();
        String asked = System.getProperty(PLATFORM, "").toLowerCase(Locale.ROOT);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment count = arena.allocate(JAVA_INT);
            int error = cl.getPlatformIDs(0, 0, count.address());
            if (error == OpenCl.CL_PLATFORM_NOT_FOUND_KHR) return devices;
            OpenClException.check(error, "clGetPlatformIDs");
            int platforms = count.get(JAVA_INT, 0);
            if (platforms == 0) return devices;
            MemorySegment ids = arena.allocate(JAVA_LONG, platforms);
            OpenClException.check(cl.getPlatformIDs(platforms, ids.address(), 0), "clGetPlatformIDs");
            for (int k = 0; k < platforms; k++) {
                Platform platform = Platform.of(cl, ids.getAtIndex(JAVA_LONG, k));
                if (platform.name().toLowerCase(Locale.ROOT).contains(asked)) add(platform, devices);
            }
        }
        return devices;
    }

    private static void add(Platform platform, List<OpenClDevice> devices) {
        long[] ids = platform.deviceIds();
        Context context = new Context(platform, ids);
        for (long id : ids) {
            DeviceFacts facts = DeviceFacts.of(platform, id);
            if (facts.available()) devices.add(new OpenClDevice(devices.size(), context, facts));
        }
    }
}

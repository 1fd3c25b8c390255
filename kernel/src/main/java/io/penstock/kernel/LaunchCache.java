package io.penstock.kernel;

import io.penstock.kernel.LaunchFile.Kept;
import io.penstock.kernel.ir.ClassBytes;
import io.penstock.runtime.DeviceCode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Launches of one kernel on one device as the disk knows them, so that a first launch finds its program without translating the kernel.
 *
 * <p>They are found by everything that decides about their code: this library's own code, the JVM, device and driver, the kernel's method and
 * options, the class files that were translated, and the launch's own sizes. Of what differs in any of that, or cannot be read, nothing is
 * used. A file holds few launches; those that a process has no use for go first.
 */
final class LaunchCache {
    /** How many launches of a kernel are kept for a device. */
    static final int MOST_KEPT = 8;

    private static final @Nullable String LIBRARY = LibrarySum.find();
    private static final String JVM =
            System.getProperty("java.vendor") + " " + System.getProperty("java.runtime.version");

    private final ProgramCache disk;
    private final @Nullable String name;
    private final String origin;
    private final Set<LaunchKey> used = new HashSet<>();
    private List<ClassSum> classes = List.of();
    private List<Kept> kept = List.of();

    /**
     * The launches that the disk has now.
     *
     * @param options what the kernel's code depends on beside its class files, device and driver
     */
    LaunchCache(ProgramCache disk, Implementation kernel, DeviceCode device, String options) {
        this.disk = disk;
        ClassBytes files = kernel.classes();
        byte[] own = disk.isOff() || LIBRARY == null ? null : files.of(kernel.owner());
        if (own == null) {
            this.name = null;
            this.origin = "";
            return;
        }
        String where = String.join(
                "\n",
                device.language().name(),
                device.identity(),
                options,
                files.assertions(kernel.owner()) ? "asserts" : "does not assert",
                kernel.owner(),
                kernel.method(),
                kernel.type().toMethodDescriptorString(),
                Integer.toString(kernel.captured()),
                Integer.toString(own.length),
                Long.toHexString(Checksum.of(own)));
        this.name = Long.toHexString(Checksum.of(where.getBytes(StandardCharsets.UTF_8)));
        this.origin = String.join("\n", where, LIBRARY, JVM);
        byte[] content = disk.launches(name);
        LaunchFile file = content == null ? null : LaunchFile.of(content, origin);
        if (file == null || !ClassSum.allAsIn(files, kernel.owner(), file.classes())) return;
        this.classes = file.classes();
        this.kept = file.launches();
    }

    /** The launches of a key, which differ in which views overlap. */
    synchronized List<Kept> find(LaunchKey key) {
        List<Kept> found = new ArrayList<>();
        for (Kept one : kept) if (one.key().equals(key)) found.add(one);
        return found;
    }

    /** Notes that a launch of this process is of a key. */
    synchronized void use(LaunchKey key) {
        used.add(key);
    }

    /** Keeps a launch, if there is room or one that this process has not used. */
    synchronized void keep(List<ClassSum> seen, Kept launch) {
        if (name == null) return;
        List<Kept> now = new ArrayList<>();
        // What was translated by now is newer than what was read.
        if (classes.equals(seen)) now.addAll(kept);
        now.removeIf(launch::isSame);
        for (int k = now.size() - 1; k >= 0 && now.size() >= MOST_KEPT; k--)
            if (!used.contains(now.get(k).key())) now.remove(k);
        if (now.size() >= MOST_KEPT) return;
        now.addFirst(launch);
        used.add(launch.key());
        classes = seen;
        kept = List.copyOf(now);
        disk.keepLaunches(name, new LaunchFile(origin, classes, kept).bytes());
    }
}
